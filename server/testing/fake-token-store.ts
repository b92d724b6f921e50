import type { TokenStore } from "../access/store";
import type { TokenRecord } from "../access/types";

/** Tokens in memory, for tests of what stands above the table. The table itself is tested on PostgreSQL. */
export function createFakeTokenStore(): TokenStore {
  const rows = new Map<string, TokenRecord & { hash: string }>();
  const shown = ({ hash: _hash, ...record }: TokenRecord & { hash: string }): TokenRecord => record;
  return {
    create: (token) => {
      rows.set(token.id, token);
      return Promise.resolve();
    },
    findByHash: (hash) => {
      const row = [...rows.values()].find((candidate) => candidate.hash === hash);
      return Promise.resolve(row === undefined ? null : shown(row));
    },
    find: (id) => {
      const row = rows.get(id);
      return Promise.resolve(row === undefined ? null : shown(row));
    },
    list: ({ after, limit, hasEnded, now }) => {
      const isOver = ({ revokedAt, expiresAt }: TokenRecord): boolean =>
        revokedAt !== null || (expiresAt !== null && expiresAt <= now);
      const all = [...rows.values()]
        .map(shown)
        .filter((token) => hasEnded === null || isOver(token) === hasEnded);
      const start = after === null ? 0 : all.findIndex((row) => row.id === after) + 1;
      return Promise.resolve(all.slice(start, start + limit));
    },
    revoke: (id, at) => {
      const row = rows.get(id);
      if (row === undefined) return Promise.resolve(null);
      const revoked = { ...row, revokedAt: row.revokedAt ?? at };
      rows.set(id, revoked);
      return Promise.resolve(shown(revoked));
    },
  };
}

import type { Prisma } from "../../generated/prisma/client";
import type { DbOrTransaction } from "../platform/db";
import { toStorableText } from "../platform/storable-text";
import type { TokenPage, TokenRecord } from "./types";

/** The tokens table. Rows leave it without their hash. */
export interface TokenStore {
  create(token: TokenRecord & { hash: string }): Promise<void>;
  findByHash(hash: string): Promise<TokenRecord | null>;
  find(id: string): Promise<TokenRecord | null>;
  /** Oldest first; `now` tells those that have expired. */
  list(input: TokenPage & { now: Date }): Promise<TokenRecord[]>;
  /** Sets `revokedAt` unless it is set, and says what stands now; null when there is no such token. */
  revoke(id: string, at: Date): Promise<TokenRecord | null>;
}

const shown = {
  id: true,
  role: true,
  label: true,
  projectId: true,
  changeId: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
} as const;

export function createTokenStore(db: DbOrTransaction): TokenStore {
  const find = (id: string): Promise<TokenRecord | null> =>
    db.token.findUnique({ where: { id }, select: shown });
  return {
    create: async (token) => {
      await db.token.create({ data: { ...token, label: toStorableText(token.label) } });
    },
    findByHash: (hash) => db.token.findUnique({ where: { hash }, select: shown }),
    find,
    list: ({ after, limit, hasEnded, now }) =>
      db.token.findMany({
        select: shown,
        where: whereEnded(hasEnded, now),
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      }),
    revoke: async (id, at) => {
      await db.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
      return find(id);
    },
  };
}

function whereEnded(hasEnded: boolean | null, now: Date): Prisma.TokenWhereInput {
  if (hasEnded === null) return {};
  return hasEnded
    ? { OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: now } }] }
    : { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
}

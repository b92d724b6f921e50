import type { Clock } from "../platform/clock";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { callerOf, formatToken, hashToken, isTokenValid, tokenSecretBytes } from "./rules";
import type { TokenStore } from "./store";
import type { Caller, Role, TokenRecord } from "./types";

/** Who may call. Every request is checked against the table; nothing about a token is remembered between two. */
export interface Access {
  /** Null for a token that is unknown, expired or revoked. */
  findCaller(token: string): Promise<Caller | null>;
  /** Makes a token; its text is in the answer and nowhere else. Errors: `input.invalid`. */
  createToken(input: NewToken): Promise<{ id: string; token: string }>;
  listTokens(input: { after: string | null; limit: number }): Promise<TokenRecord[]>;
  /** Ends a token now. Repeating it changes nothing. Errors: `token.not_found`. */
  revokeToken(id: string): Promise<TokenRecord>;
}

export interface NewToken {
  role: Role;
  label: string;
  projectId: string | null;
  changeId: string | null;
  expiresAt: Date | null;
}

export function createAccess(deps: { store: TokenStore; clock: Clock; ids: Ids }): Access {
  const { store, clock, ids } = deps;
  return {
    findCaller: async (token) => {
      const record = await store.findByHash(hashToken(token));
      return record !== null && isTokenValid(record, clock.now()) ? callerOf(record) : null;
    },
    createToken: async (input) => {
      const now = clock.now();
      if ((input.role === "agent") !== (input.projectId !== null)) {
        throw new DomainError(
          "input.invalid",
          "A token is bound to a Project if and only if it is an agent's.",
          {
            field: "projectId",
          },
        );
      }
      if (input.expiresAt !== null && input.expiresAt <= now) {
        throw new DomainError("input.invalid", "A token must expire in the future.", { field: "expiresAt" });
      }
      const id = ids.uuid();
      const token = formatToken(ids.secret(tokenSecretBytes));
      await store.create({ ...input, id, hash: hashToken(token), createdAt: now, revokedAt: null });
      return { id, token };
    },
    listTokens: (input) => store.list(input),
    revokeToken: async (id) => {
      const record = await store.revoke(id, clock.now());
      if (record === null) throw new DomainError("token.not_found", "There is no such token.");
      return record;
    },
  };
}

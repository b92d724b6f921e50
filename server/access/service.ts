import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { FailureLimit } from "../platform/failure-limit";
import type { Ids } from "../platform/ids";
import { callerOf, formatToken, hashToken, isTokenValid, tokenSecretBytes } from "./rules";
import type { TokenStore } from "./store";
import type { Actor, Caller, Role, TokenPage, TokenRecord } from "./types";

/** Who may call. Every request is checked against the table; nothing about a token is remembered between two. */
export interface Access {
  /** Null for a token that is unknown, expired or revoked. Errors: `limit.rate` after too many such tokens. */
  findCaller(token: string): Promise<Caller | null>;
  /** Makes a token; its text is in the answer and nowhere else. Errors: `input.invalid`. */
  createToken(input: NewToken, by: Actor | null): Promise<{ id: string; token: string }>;
  /** Oldest first. */
  listTokens(input: TokenPage): Promise<TokenRecord[]>;
  /** Ends a token now. Repeating it changes nothing. Errors: `token.not_found`. */
  revokeToken(id: string, by: Actor | null): Promise<TokenRecord>;
}

export interface NewToken {
  role: Role;
  label: string;
  projectId: string | null;
  changeId: string | null;
  expiresAt: Date | null;
}

export interface AccessDeps {
  store: TokenStore;
  storeIn: (tx: Transaction) => TokenStore;
  transaction: RunInTransaction;
  /** Notes an act in the transaction in which it happens. */
  noteAct: (tx: Transaction, act: TokenAct) => Promise<void>;
  /** Counts wrong tokens of everybody together: nothing that a caller says of its address can be trusted. */
  wrongTokens: FailureLimit;
  clock: Clock;
  ids: Ids;
}

/** One act on a token, for the audit log. */
export interface TokenAct {
  at: Date;
  actor: Actor | null;
  action: "token.create" | "token.revoke";
  subject: string;
  data: { label: string; role: Role; projectId: string | null; changeId: string | null };
}

/** The one key under which wrong tokens are counted. */
const everyCaller = "";

export function createAccess(deps: AccessDeps): Access {
  const { store, storeIn, transaction, noteAct, wrongTokens, clock, ids } = deps;
  return {
    findCaller: async (token) => {
      const record = await store.findByHash(hashToken(token));
      if (record !== null && isTokenValid(record, clock.now())) return callerOf(record);
      // A right token is never held up by other people's wrong ones.
      wrongTokens.check(everyCaller);
      wrongTokens.noteFailure(everyCaller);
      return null;
    },
    createToken: async (input, by) => {
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
      const record = { ...input, id, createdAt: now, revokedAt: null };
      await transaction(async (tx) => {
        await storeIn(tx).create({ ...record, hash: hashToken(token) });
        await noteAct(tx, { at: now, actor: by, action: "token.create", subject: id, data: shownOf(record) });
      });
      return { id, token };
    },
    listTokens: (input) => store.list({ ...input, now: clock.now() }),
    revokeToken: (id, by) =>
      transaction(async (tx) => {
        const record = await storeIn(tx).revoke(id, clock.now());
        if (record === null) throw new DomainError("token.not_found", "There is no such token.");
        const act = { at: clock.now(), actor: by, action: "token.revoke", subject: id } as const;
        await noteAct(tx, { ...act, data: shownOf(record) });
        return record;
      }),
  };
}

function shownOf({ label, role, projectId, changeId }: TokenRecord): TokenAct["data"] {
  return { label, role, projectId, changeId };
}

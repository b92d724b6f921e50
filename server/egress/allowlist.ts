import type { Actor } from "../access/types";
import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import { describeError, DomainError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import { parseHostPattern } from "./host-name";
import type { AllowedHost, AllowedHostStore } from "./store";

/** Egress compiles all of them for every policy, and an admin reads them on one page. */
const hostsMax = 1_000;

/** One entry in force. Those of the environment stand for every start and are changed there. */
export type AllowlistEntry =
  { host: string; source: "environment"; address: string | null } | ({ source: "setting" } & AllowedHost);

/** What became of a change: it is stored, and egress knows of it at once or within seconds of being reached again. */
export interface AllowlistChange {
  host: string;
  isInForce: boolean;
}

/** The hosts that sandboxes may reach: those of the environment and those of admins together. */
export interface Allowlist {
  /** The environment's first, then the admins' by name. */
  list(): Promise<AllowlistEntry[]>;
  /**
   * Adds a name or `*.name` with its audit entry, and tells egress. One that is in force already is left as it is.
   * Errors: `input.invalid` for anything else, `limit.size`.
   */
  allow(input: { host: string; actor: Actor }): Promise<AllowlistChange>;
  /**
   * Takes an admin's entry off with its audit entry, and tells egress, which then also ends what is open to it.
   * Repeating it changes nothing. Errors: `input.invalid` for an entry of the environment.
   */
  remove(input: { host: string; actor: Actor }): Promise<AllowlistChange>;
}

interface AllowlistDeps {
  environment: readonly { host: string; address: string | null }[];
  store: AllowedHostStore;
  storeIn: (tx: Transaction) => AllowedHostStore;
  transaction: RunInTransaction;
  /** Notes an act in the transaction in which it happens. */
  noteAct: (tx: Transaction, act: AllowlistAct) => Promise<void>;
  publish: () => Promise<void>;
  clock: Clock;
  logger: Logger;
}

/** One act on the allowlist, for the audit log. */
export interface AllowlistAct {
  at: Date;
  actor: Actor;
  action: "egress.allow" | "egress.remove";
  subject: string;
  data: Record<string, never>;
}

export function createAllowlist(deps: AllowlistDeps): Allowlist {
  const { environment, store, storeIn, transaction, noteAct, clock } = deps;
  const isOfEnvironment = (host: string): boolean => environment.some((entry) => entry.host === host);

  /** The change is kept whether or not egress hears of it now: the publisher tells it again every few seconds. */
  const tellEgress = async (host: string): Promise<AllowlistChange> => {
    try {
      await deps.publish();
      return { host, isInForce: true };
    } catch (error) {
      deps.logger.warn({ host, reason: describeError(error) }, "egress could not be told of a change");
      return { host, isInForce: false };
    }
  };

  return {
    list: async () => [
      ...environment.map((entry) => ({ ...entry, source: "environment" as const })),
      ...(await store.list())
        .filter(({ host }) => !isOfEnvironment(host))
        .map((entry) => ({ ...entry, source: "setting" as const })),
    ],
    allow: async ({ host: text, actor }) => {
      const host = requirePattern(text);
      if (isOfEnvironment(host)) return tellEgress(host);
      await transaction(async (tx) => {
        const hosts = storeIn(tx);
        if ((await hosts.list()).length >= hostsMax) {
          throw new DomainError("limit.size", `The allowlist holds ${hostsMax} hosts at most.`, {
            max: hostsMax,
          });
        }
        const at = clock.now();
        if (!(await hosts.add({ host, addedAt: at, addedBy: actor }))) return;
        await noteAct(tx, { at, actor, action: "egress.allow", subject: host, data: {} });
      });
      return tellEgress(host);
    },
    remove: async ({ host: text, actor }) => {
      const host = requirePattern(text);
      if (isOfEnvironment(host)) {
        throw new DomainError(
          "input.invalid",
          `${host} is set by the variable EGRESS_ALLOWLIST. Take it out there and run npm run stack:up again.`,
          { field: "host", variable: "EGRESS_ALLOWLIST" },
        );
      }
      await transaction(async (tx) => {
        if (!(await storeIn(tx).remove(host))) return;
        await noteAct(tx, { at: clock.now(), actor, action: "egress.remove", subject: host, data: {} });
      });
      return tellEgress(host);
    },
  };
}

function requirePattern(text: string): string {
  const host = parseHostPattern(text.trim());
  if (host !== null) return host;
  throw new DomainError(
    "input.invalid",
    "host: is neither a host name such as registry.example nor *.name for every name below one. Addresses, ports and paths cannot be allowed.",
    { field: "host" },
  );
}

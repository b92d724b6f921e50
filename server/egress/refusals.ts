import { describeError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import type { Allowlist } from "./allowlist";
import type { EgressControl, RefusedDecision } from "./control";
import type { RefusalReason } from "./types";

/** A page waits for its list a moment; a command's answer hardly at all. */
const recentTimeoutMs = 2_000;
const ofRunTimeoutMs = 200;
const recentMax = 1_000;
const ofRunMax = 200;

/** The same refusal, as often as it came. */
export interface RefusalSummary {
  host: string | null;
  port: number | null;
  reason: RefusalReason;
  sandboxId: string | null;
  /** What the process in the Sandbox said it is: the id of its Run, unless it lied. */
  proxyUser: string | null;
  count: number;
  lastAt: string;
}

/** What one Run was refused, and what it could have had. */
export interface RunRefusals {
  refused: { host: string | null; port: number | null; reason: RefusalReason }[];
  allowed: string[];
}

/** What egress refused lately, as far back as it remembers. It forgets when it is started anew. */
export interface Refusals {
  /** Newest first; null when egress does not answer. */
  recent(): Promise<RefusalSummary[] | null>;
  /**
   * What egress refused to a Run since a time, each target once, the latest last. Takes 200 ms at
   * most; when egress has not answered by then nothing is known, and the log says so.
   */
  ofRun(input: { runId: string; sandboxId: string; since: Date }): Promise<RunRefusals | null>;
}

export function createRefusals(deps: {
  control: Pick<EgressControl, "listRefused">;
  allowlist: Pick<Allowlist, "list">;
  logger: Logger;
}): Refusals {
  const { control, allowlist, logger } = deps;
  const ask = async (
    filter: Parameters<EgressControl["listRefused"]>[0],
    timeoutMs: number,
  ): Promise<RefusedDecision[] | null> => {
    try {
      return await control.listRefused(filter, timeoutMs);
    } catch (error) {
      logger.warn({ reason: describeError(error) }, "egress could not be asked what it refused");
      return null;
    }
  };
  return {
    recent: async () => {
      const filter = { sandboxId: null, proxyUser: null, since: null, limit: recentMax };
      const decisions = await ask(filter, recentTimeoutMs);
      return decisions === null ? null : summarize(decisions);
    },
    ofRun: async ({ runId, sandboxId, since }) => {
      const filter = { sandboxId, proxyUser: runId, since: since.toISOString(), limit: ofRunMax };
      const decisions = await ask(filter, ofRunTimeoutMs);
      if (decisions === null) return null;
      const refused = summarize(decisions).reverse();
      if (refused.length === 0) return { refused, allowed: [] };
      return { refused, allowed: (await allowlist.list()).map(({ host }) => host) };
    },
  };
}

/** Puts equal refusals together. Shape: in the order of the newest of each, as the decisions come newest first. */
export function summarize(decisions: readonly RefusedDecision[]): RefusalSummary[] {
  const sums = new Map<string, RefusalSummary>();
  for (const { at, ...refusal } of decisions) {
    const key = JSON.stringify([
      refusal.host,
      refusal.port,
      refusal.reason,
      refusal.sandboxId,
      refusal.proxyUser,
    ]);
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { ...refusal, count: 1, lastAt: at });
    else known.count += 1;
  }
  return [...sums.values()];
}

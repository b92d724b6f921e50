import type { Clock } from "../platform/clock";
import type { Logger } from "../platform/logger";
import type { Decision, DecisionEnd } from "./types";

export type NewDecision = Omit<Decision, "seq" | "at" | "end">;

/** What a reader gets: decisions after a place, oldest first, and whether some before them are no longer kept. */
export interface DecisionPage {
  /** ISO 8601. Another value than before means that the process started anew and `seq` counts from 1 again. */
  countingSince: string;
  oldestSeq: number;
  lastSeq: number;
  decisions: Decision[];
}

/** Which refusals a reader asks for; null leaves a field open. */
export interface RefusalFilter {
  sandboxId: string | null;
  proxyUser: string | null;
  /** Only those that were decided at or after this time, ISO 8601. */
  since: string | null;
  limit: number;
}

/** Keeps the last decisions in memory and writes each, and the end of each allowed one, as one line of the log. */
export interface DecisionLog {
  /** Returns what to call once, when the connection that was allowed is over. */
  record(decision: NewDecision, detail?: string): (end: DecisionEnd) => void;
  page(input: { after: number; limit: number }): DecisionPage;
  /** Refusals among the decisions that are kept, newest first. */
  refused(filter: RefusalFilter): Decision[];
}

export function createDecisionLog(deps: { clock: Clock; logger: Logger; keptMax: number }): DecisionLog {
  const countingSince = deps.clock.now().toISOString();
  const kept: Decision[] = [];
  let lastSeq = 0;

  return {
    record: (input, detail) => {
      lastSeq += 1;
      const decision: Decision = { seq: lastSeq, at: deps.clock.now().toISOString(), ...input, end: null };
      kept.push(decision);
      if (kept.length > deps.keptMax) kept.shift();
      deps.logger.info({ ...decision, detail }, "decision");
      return (end) => {
        decision.end = end;
        deps.logger.info(
          { seq: decision.seq, sandboxId: decision.sandboxId, host: decision.host, ...end },
          "end",
        );
      };
    },
    page: ({ after, limit }) => ({
      countingSince,
      oldestSeq: kept[0]?.seq ?? lastSeq + 1,
      lastSeq,
      decisions: kept.filter((decision) => decision.seq > after).slice(0, limit),
    }),
    refused: ({ sandboxId, proxyUser, since, limit }) => {
      const sinceMs = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
      const fitting = kept.filter(
        (decision) =>
          decision.verdict === "refused" &&
          (sandboxId === null || decision.sandboxId === sandboxId) &&
          (proxyUser === null || decision.proxyUser === proxyUser) &&
          Date.parse(decision.at) >= sinceMs,
      );
      return fitting.slice(-limit).reverse();
    },
  };
}

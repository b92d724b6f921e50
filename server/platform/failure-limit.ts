import type { Clock } from "./clock";
import { DomainError } from "./errors";

/** Keys that are remembered at once; the one that failed longest ago is forgotten first. */
const keysMax = 10_000;

/**
 * Refuses further tries under a key once too many have failed within a while. Kept in memory: with several web
 * processes each counts for itself, so the bound is that many times higher, and a restart forgets.
 */
export interface FailureLimit {
  /** Errors: `limit.rate` with `retryAfterSeconds` when the key has failed too often. */
  check(key: string): void;
  noteFailure(key: string): void;
  /** A success takes the key's failures away. */
  forget(key: string): void;
}

export function createFailureLimit(deps: {
  clock: Clock;
  failuresMax: number;
  windowMs: number;
}): FailureLimit {
  const { clock, failuresMax, windowMs } = deps;
  const failures = new Map<string, number[]>();
  const recent = (key: string): number[] => {
    const since = clock.monotonicMs() - windowMs;
    return (failures.get(key) ?? []).filter((at) => at > since);
  };
  return {
    check: (key) => {
      const [oldest, ...others] = recent(key);
      if (oldest === undefined || others.length + 1 < failuresMax) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - clock.monotonicMs()) / 1000));
      throw new DomainError("limit.rate", `Too many failed tries. Try again in ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      });
    },
    noteFailure: (key) => {
      const kept = [...recent(key), clock.monotonicMs()].slice(-failuresMax);
      failures.delete(key);
      failures.set(key, kept);
      if (failures.size > keysMax) failures.delete([...failures.keys()][0] ?? key);
    },
    forget: (key) => void failures.delete(key),
  };
}

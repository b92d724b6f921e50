import type { Clock } from "../../server/platform/clock";

/** When this Sandbox may go. Durations only: nobody else knows this clock. */
export interface Activity {
  /** Something was done: it stays for the idle time from now. */
  mark(): void;
  keepFor(keepForMs: number): void;
  /** 0 when the time has passed; the whole idle time, or a longer promise, while something runs. */
  removalInMs(isRunning: boolean): number;
}

export function createActivity(clock: Clock, idleMs: number): Activity {
  let keepUntilMs = clock.monotonicMs() + idleMs;
  const keepFor = (ms: number): void => {
    keepUntilMs = Math.max(keepUntilMs, clock.monotonicMs() + ms);
  };
  return {
    mark: () => keepFor(idleMs),
    keepFor,
    removalInMs: (isRunning) => {
      if (isRunning) keepFor(idleMs);
      return Math.max(0, Math.round(keepUntilMs - clock.monotonicMs()));
    },
  };
}

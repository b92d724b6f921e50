import type { Clock } from "../platform/clock";

/** A clock that stands still until `advance`, which then wakes sleepers and runs ticks in the order they fall due. */
export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>;
  /** Moves the wall clock alone, as an operator or NTP would. */
  jump(ms: number): void;
}

export function createFakeClock(start = new Date("2026-01-15T12:00:00.000Z")): FakeClock {
  let elapsedMs = 0;
  let wallOffsetMs = 0;
  const timers = new Set<{ dueMs: number; run: () => unknown }>();

  const at = (ms: number, run: () => unknown): (() => void) => {
    const timer = { dueMs: elapsedMs + ms, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };

  return {
    now: () => new Date(start.getTime() + elapsedMs + wallOffsetMs),
    monotonicMs: () => elapsedMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const cancel = at(ms, resolve);
        signal?.addEventListener("abort", () => {
          cancel();
          reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
        });
      }),
    every: (ms, tick) => {
      let cancel = (): void => {};
      const schedule = (): void => {
        cancel = at(ms, async () => {
          schedule();
          await tick();
        });
      };
      schedule();
      return () => cancel();
    },
    advance: async (ms) => {
      const endMs = elapsedMs + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (due === undefined) break;
        timers.delete(due);
        elapsedMs = Math.max(elapsedMs, due.dueMs);
        await due.run();
        await Promise.resolve();
      }
      elapsedMs = endMs;
    },
    jump: (ms) => {
      wallOffsetMs += ms;
    },
  };
}

import { createSystemClock } from "../platform/clock";

const clock = createSystemClock();

/** Waits until `look` gives something that is neither null nor false, and gives that; fails with `what` after `withinMs`. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | null | false> | Value | null | false,
  withinMs = 30_000,
): Promise<Value> {
  const deadlineMs = clock.monotonicMs() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (clock.monotonicMs() > deadlineMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await clock.sleep(50);
  }
}

/** Tells the time and waits. Every part of the server gets one passed in, so that tests decide what time it is. */
export interface Clock {
  /** The wall clock, for what is stored and shown. It may jump. */
  now(): Date;
  /** Milliseconds that only grow, for durations and deadlines. Its zero means nothing. */
  monotonicMs(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `tick` every `ms` until the returned function is called; a tick never overlaps the one before it. */
  every(ms: number, tick: () => Promise<void> | void): () => void;
}

/** The machine's clock. Timers made by `every` do not keep the process alive. */
export function createSystemClock(): Clock {
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(toError(signal.reason));
        const timer = setTimeout(done, ms);
        function done(): void {
          signal?.removeEventListener("abort", abort);
          resolve();
        }
        function abort(): void {
          clearTimeout(timer);
          reject(toError(signal?.reason));
        }
        signal?.addEventListener("abort", abort, { once: true });
      }),
    every: (ms, tick) => {
      let stopped = false;
      let timer: NodeJS.Timeout;
      const schedule = (): void => {
        timer = setTimeout(() => void run(), ms);
        timer.unref();
      };
      const run = async (): Promise<void> => {
        try {
          await tick();
        } finally {
          if (!stopped) schedule();
        }
      };
      schedule();
      return () => {
        stopped = true;
        clearTimeout(timer);
      };
    },
  };
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("aborted");
}

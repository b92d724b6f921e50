"use client";

import { useSyncExternalStore } from "react";
import { exactTimeWords, relativeTimeWords } from "./relative-time-words";

const tickMs = 5_000;

/** One timer for every time on the page; it runs while there is one. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let nowMs = 0;

function tick() {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
    nowMs = 0;
  };
}

function readNow(): number {
  if (nowMs === 0) nowMs = Date.now();
  return nowMs;
}

/** Moves on with the shared timer; null on the server, which does not know when its page is read. */
export function useNow(): Date | null {
  const now = useSyncExternalStore(subscribe, readNow, () => null);
  return now === null ? null : new Date(now);
}

/** How long ago something was. The exact moment, in UTC, on hover. `at` is ISO 8601 or a Date. */
export function RelativeTime({ at }: { at: string | Date }) {
  const now = useNow();
  const moment = typeof at === "string" ? new Date(at) : at;
  const exact = exactTimeWords(moment);
  return (
    <time dateTime={moment.toISOString()} title={exact} className="whitespace-nowrap tabular-nums">
      {now === null ? exact : relativeTimeWords(moment, now)}
    </time>
  );
}

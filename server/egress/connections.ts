import type { Socket } from "node:net";
import type { Clock } from "../platform/clock";

const sweepMs = 500;

/** One client of the proxy with every socket that serves it. When it ends, all of them are destroyed. */
export interface Connection {
  readonly client: Socket;
  /** Aborts when the connection ends, for whatever reason. */
  readonly ended: AbortSignal;
  /** Ties another socket to the connection's end. */
  adopt(socket: Socket): void;
  /** From now on, silence for `quietMs` calls `onQuiet`, once; the rule before it no longer counts. */
  watch(quietMs: number, onQuiet: () => void): void;
  /** From now on, `afterMs` from now calls `onTime` whatever moves until then. */
  limit(afterMs: number, onTime: () => void): void;
  /** From now on it ends, within a sweep, when `isPermitted` no longer holds. */
  holdWhile(isPermitted: () => boolean): void;
  /** Ends it within `ms`, besides what `watch` and `limit` say; an earlier promise stands. */
  finishWithin(ms: number): void;
  /** Says that something moved. */
  touch(): void;
  end(): void;
}

/** Counts connections by source and in all, and watches their silence with a single timer. */
export interface ConnectionTable {
  /** Null when the source or the whole proxy has no room; the socket is then the caller's. */
  admit(client: Socket, source: string): Connection | null;
  readonly size: number;
  /** Ends every connection and stops the timer. */
  close(): void;
}

interface Entry extends Connection {
  sweep(nowMs: number): void;
}

export function createConnectionTable(deps: {
  clock: Clock;
  perSourceMax: number;
  totalMax: number;
}): ConnectionTable {
  const { clock } = deps;
  const entries = new Set<Entry>();
  const perSource = new Map<string, number>();
  const stopSweeping = clock.every(sweepMs, () => {
    const nowMs = clock.monotonicMs();
    for (const entry of [...entries]) entry.sweep(nowMs);
  });

  return {
    admit: (client, source) => {
      const used = perSource.get(source) ?? 0;
      if (used >= deps.perSourceMax || entries.size >= deps.totalMax) return null;
      perSource.set(source, used + 1);
      const entry = createEntry(client, clock, () => {
        entries.delete(entry);
        const left = (perSource.get(source) ?? 1) - 1;
        if (left === 0) perSource.delete(source);
        else perSource.set(source, left);
      });
      entries.add(entry);
      return entry;
    },
    get size() {
      return entries.size;
    },
    close: () => {
      stopSweeping();
      for (const entry of [...entries]) entry.end();
    },
  };
}

function createEntry(client: Socket, clock: Clock, onEnd: () => void): Entry {
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  let finishAtMs = Number.POSITIVE_INFINITY;
  let isHeld = (): boolean => true;
  let rule: { deadlineMs: number; quietMs: number | null; onTime: () => void } | null = null;

  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    for (const socket of sockets) socket.destroy();
    onEnd();
  };
  const adopt = (socket: Socket): void => {
    sockets.add(socket);
    // An error is followed by "close"; what it was does not matter to the other side.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) end();
    });
    if (ending.signal.aborted) socket.destroy();
  };
  adopt(client);

  return {
    client,
    ended: ending.signal,
    adopt,
    end,
    touch: () => {
      if (rule !== null && rule.quietMs !== null) rule.deadlineMs = clock.monotonicMs() + rule.quietMs;
    },
    watch: (quietMs, onTime) => {
      rule = { deadlineMs: clock.monotonicMs() + quietMs, quietMs, onTime };
    },
    limit: (afterMs, onTime) => {
      rule = { deadlineMs: clock.monotonicMs() + afterMs, quietMs: null, onTime };
    },
    holdWhile: (isPermitted) => {
      isHeld = isPermitted;
    },
    finishWithin: (ms) => {
      finishAtMs = Math.min(finishAtMs, clock.monotonicMs() + ms);
    },
    sweep: (nowMs) => {
      if (nowMs >= finishAtMs || !isHeld()) return end();
      if (rule === null || nowMs < rule.deadlineMs) return;
      const { onTime } = rule;
      rule = null;
      onTime();
    },
  };
}

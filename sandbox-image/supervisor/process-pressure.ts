import type { Clock } from "../../server/platform/clock";
import type { Cgroup } from "./cgroup";
import type { EndCause } from "./command";
import type { ProcessEntry } from "./process-table";

const watchEveryMs = 250;
/** So many looks in a row above the share: a burst that passes by itself stops nobody. */
const looksMax = 4;
const fullShare = 0.9;
/** Fewer than these cannot be what fills the container. */
const threadsToBlameMin = 16;
const runUidMin = 10_000;

export interface ProcessPressureDeps {
  clock: Clock;
  cgroup: Cgroup;
  processesMax: number | null;
  readTable: () => ProcessEntry[];
  hasLiveCommands: () => boolean;
  interruptUid: (uid: number, cause: EndCause) => Promise<void>;
}

/** Keeps one Run from taking the container's last process: the uid that holds most is stopped. */
export interface ProcessPressure {
  /** After a start that failed. True when another uid than `forUid` held most and has been stopped. */
  relieve: (forUid: number) => Promise<boolean>;
  /** Looks again and again while commands run. Returns how to stop. */
  watch(): () => void;
}

export function createProcessPressure(deps: ProcessPressureDeps): ProcessPressure {
  let fullLooks = 0;
  let stopping: Promise<number | null> | null = null;

  async function stopFullest(): Promise<number | null> {
    const uid = findFullestUid(deps.readTable());
    if (uid === null) return null;
    const message = `stopped: it held most of the ${deps.processesMax ?? "available"} processes of the Sandbox`;
    await deps.interruptUid(uid, { status: "interrupted", reason: "process_limit", message, graceMs: 0 });
    return uid;
  }

  function joinStop(): Promise<number | null> {
    stopping ??= stopFullest().finally(() => (stopping = null));
    return stopping;
  }

  return {
    relieve: async (forUid) => {
      const stopped = await joinStop();
      return stopped !== null && stopped !== forUid;
    },
    watch: () =>
      deps.clock.every(watchEveryMs, async () => {
        const processes =
          deps.processesMax === null || !deps.hasLiveCommands() ? null : deps.cgroup.processes();
        const isFull = processes !== null && processes > (deps.processesMax ?? Infinity) * fullShare;
        fullLooks = isFull ? fullLooks + 1 : 0;
        if (fullLooks < looksMax) return;
        fullLooks = 0;
        await joinStop();
      }),
  };
}

/** The Run's uid with most threads, which is what the kernel counts; null when none holds many. */
export function findFullestUid(table: readonly ProcessEntry[]): number | null {
  const threads = new Map<number, number>();
  for (const { uid, threads: count } of table) {
    if (uid >= runUidMin) threads.set(uid, (threads.get(uid) ?? 0) + Math.max(1, count));
  }
  const [fullest] = [...threads].sort(([, one], [, other]) => other - one);
  return fullest !== undefined && fullest[1] >= threadsToBlameMin ? fullest[0] : null;
}

import type { Clock } from "../../server/platform/clock";
import type { Cgroup } from "./cgroup";
import type { EndCause } from "./command";
import type { ProcessEntry } from "./process-table";

const watchEveryMs = 50;
const fullShare = 0.9;
const runUidMin = 10_000;

export interface MemoryWatchDeps {
  clock: Clock;
  cgroup: Cgroup;
  memoryBytesMax: number;
  readTable: () => ProcessEntry[];
  hasLiveCommands: () => boolean;
  interruptUid: (uid: number, cause: EndCause) => Promise<void>;
}

/**
 * For gVisor, where no kernel inside kills one process for memory: the host kills the whole Sandbox. Stops the Run that
 * holds most shortly before that. Returns how to stop looking.
 */
export function watchMemoryOfSandbox(deps: MemoryWatchDeps): () => void {
  return deps.clock.every(watchEveryMs, async () => {
    if (!deps.hasLiveCommands()) return;
    if ((deps.cgroup.memoryBytes() ?? 0) < deps.memoryBytesMax * fullShare) return;
    const uid = findLargestUid(deps.readTable());
    if (uid === null) return;
    const message = `out of memory, limit ${Math.round(deps.memoryBytesMax / 1024 / 1024)} MB`;
    await deps.interruptUid(uid, { status: "interrupted", reason: "out_of_memory", message, graceMs: 0 });
  });
}

/** The Run's uid whose processes hold most memory. */
export function findLargestUid(table: readonly ProcessEntry[]): number | null {
  const memory = new Map<number, number>();
  for (const { uid, memoryBytes } of table) {
    if (uid >= runUidMin) memory.set(uid, (memory.get(uid) ?? 0) + memoryBytes);
  }
  return [...memory].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

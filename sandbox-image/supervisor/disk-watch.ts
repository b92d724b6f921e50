import type { Clock } from "../../server/platform/clock";
import { DomainError } from "../../server/platform/errors";
import type { EndCause } from "./command";
import type { DiskUsage } from "./disk-usage";

const watchEveryMs = 500;
/** Free space tells only what everybody on the disk did together, so now and then all is counted. */
const recountEveryMs = 15_000;
/** A count that takes long is not begun again at once. */
const countShareMax = 0.5;
/** A Run that holds less than this part of the limit is not stopped for what others hold. */
const blameShare = 1 / 8;
const inodeBytes = 4096;
const runUidMin = 10_000;

export interface DiskSpace {
  freeBytes: number;
  freeInodes: number;
}

export interface DiskWatchDeps {
  clock: Clock;
  diskBytesMax: number | null;
  diskFloorBytes: number;
  readSpace: () => DiskSpace;
  measure: () => Promise<DiskUsage | null>;
  liveUids: () => ReadonlySet<number>;
  interruptUid: (uid: number, cause: EndCause) => Promise<void>;
}

/** Keeps what the Runs write below the limit, and the disk above its floor, by stopping the Run that holds most. */
export interface DiskWatch {
  /**
   * Whether a Run may write so many bytes. One that holds little is not kept from writing by what others hold.
   * Errors: `limit.size` when the write would pass the limit or the floor.
   */
  checkRoomFor(uid: number, byteCount: number): void;
  /** Something other than a command wrote: look once more. */
  noteWrite(): void;
  /** Something was deleted: count anew, since what was counted may stand in the way of a write. */
  noteRemoval(): void;
  usage(): { usedBytes: number; freeBytes: number };
  /** Looks again and again while commands run. Returns how to stop. */
  watch(): () => void;
}

export function createDiskWatch(deps: DiskWatchDeps): DiskWatch {
  const { clock, diskBytesMax, diskFloorBytes } = deps;
  let counted = { totalBytes: 0, space: deps.readSpace(), atMs: clock.monotonicMs(), tookMs: 0 };
  let heldByUid: DiskUsage = new Map();
  let hasWrites = true;
  let hasRemovals = false;

  /** More than this cannot be in use, if the rest of the disk only grew. */
  function usedBytesAtMost(space: DiskSpace): number {
    const byBytes = Math.max(0, counted.space.freeBytes - space.freeBytes);
    const byInodes = Math.max(0, counted.space.freeInodes - space.freeInodes) * inodeBytes;
    return counted.totalBytes + byBytes + byInodes;
  }

  function isCountDue(space: DiskSpace): boolean {
    const sinceMs = clock.monotonicMs() - counted.atMs;
    if (sinceMs * countShareMax < counted.tookMs) return false;
    if (hasRemovals || space.freeBytes < diskFloorBytes || sinceMs > recountEveryMs) return true;
    return diskBytesMax !== null && usedBytesAtMost(space) > diskBytesMax;
  }

  async function look(): Promise<void> {
    const live = deps.liveUids();
    if (live.size === 0 && !hasWrites) return;
    const space = deps.readSpace();
    if (!isCountDue(space)) return;
    const startMs = clock.monotonicMs();
    hasRemovals = false;
    const usage = await deps.measure();
    if (usage === null) return;
    hasWrites = live.size > 0;
    heldByUid = usage;
    const endMs = clock.monotonicMs();
    counted = { totalBytes: sumOfRuns(usage), space, atMs: endMs, tookMs: endMs - startMs };
    const isOverLimit = diskBytesMax !== null && counted.totalBytes > diskBytesMax;
    if (!isOverLimit && space.freeBytes >= diskFloorBytes) return;
    const bytesMin = isOverLimit ? diskBytesMax * blameShare : 0;
    const uid = findFullestUid(usage, deps.liveUids(), bytesMin);
    const message = isOverLimit ? limitMessage(diskBytesMax) : "the disk of the host is nearly full";
    if (uid !== null) await deps.interruptUid(uid, diskCause(message));
  }

  return {
    checkRoomFor: (uid, byteCount) => {
      const { freeBytes } = deps.readSpace();
      const isOver = diskBytesMax !== null && counted.totalBytes + byteCount > diskBytesMax;
      if (isOver && (heldByUid.get(uid) ?? 0) + byteCount > diskBytesMax * blameShare) {
        throw new DomainError("limit.size", `${limitMessage(diskBytesMax)}: delete files first.`);
      }
      if (freeBytes - byteCount < diskFloorBytes) {
        throw new DomainError("limit.size", "The disk of the host is nearly full.");
      }
    },
    noteWrite: () => {
      hasWrites = true;
    },
    noteRemoval: () => {
      hasWrites = true;
      hasRemovals = true;
    },
    usage: () => ({ usedBytes: counted.totalBytes, freeBytes: deps.readSpace().freeBytes }),
    watch: () => clock.every(watchEveryMs, look),
  };
}

function diskCause(message: string): EndCause {
  return { status: "interrupted", reason: "disk_limit", message, graceMs: 0 };
}

function limitMessage(diskBytesMax: number): string {
  return `disk limit of ${Math.round(diskBytesMax / 1024 / 1024)} MB passed`;
}

function sumOfRuns(usage: DiskUsage): number {
  let sum = 0;
  for (const [uid, bytes] of usage) if (uid >= runUidMin) sum += bytes;
  return sum;
}

function findFullestUid(usage: DiskUsage, live: ReadonlySet<number>, bytesMin: number): number | null {
  const candidates = [...usage].filter(([uid, bytes]) => live.has(uid) && bytes >= bytesMin);
  return candidates.sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

import { existsSync, statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { OperatorError } from "./operator-error";
import { isPortFree } from "./ports";

const gibibyte = 1024 ** 3;
/** Less than this and a build or a database soon stops in the middle. */
const diskFreeBytesMin = 3 * gibibyte;
const memoryBytesMin = 2 * gibibyte;

/** Refuses to start on a disk that would soon be full. A path that is not there yet counts as its nearest parent. */
export function requireDiskSpace(path: string): void {
  const place = nearestExisting(path);
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  if (free >= diskFreeBytesMin) return;
  throw new OperatorError(
    `Only ${(free / gibibyte).toFixed(1)} GiB are free on the disk of ${place} and Rhumbatron needs ${diskFreeBytesMin / gibibyte} GiB: free some space, or set DATA_DIR to another disk.`,
  );
}

/** Words about a machine that is smaller than what a sandbox and the stack need together; null when it is large enough. */
export function describeSmallMemory(sandboxMemoryMb: number, totalBytes: number = totalmem()): string | null {
  const needed = memoryBytesMin + sandboxMemoryMb * 1024 * 1024;
  if (totalBytes >= needed) return null;
  return `This machine has ${(totalBytes / gibibyte).toFixed(1)} GiB of memory; with one sandbox of ${sandboxMemoryMb} MiB the stack wants ${(needed / gibibyte).toFixed(1)} GiB. Lower SANDBOX_MEMORY_MB if it runs short.`;
}

/** Refuses to start when somebody else has the dashboard's port. */
export async function requirePort(port: number): Promise<void> {
  if (await isPortFree(port, "0.0.0.0")) return;
  throw new OperatorError(`Port ${port} is used by another program: end it, or set PORT to a free one.`);
}

function nearestExisting(path: string): string {
  let place = path;
  while (!existsSync(place)) place = dirname(place);
  return place;
}

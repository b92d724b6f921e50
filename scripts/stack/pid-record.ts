import { readFileSync, rmSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { systemErrorCode } from "./operator-error";

/** One process of ours. Its start time tells it from a later process that was given the same number. */
export interface PidRecord {
  pid: number;
  /** Words that only this process has: the boot and its ticks on Linux, the start date elsewhere. */
  startedAt: string;
  /** A hash of what it was started with. */
  fingerprint: string;
}

/** Reads a record; null when there is none or it was only half written. */
export function readPidRecord(path: string): PidRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isPidRecord(value) ? value : null;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Writes the record whole or not at all. */
export async function writePidRecord(path: string, record: PidRecord): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The process of the record, when it is still that one. */
export function findRecordedProcess(path: string): PidRecord | null {
  const record = readPidRecord(path);
  return record !== null && startTimeOf(record.pid) === record.startedAt ? record : null;
}

/** What tells this process from every other that had or will have its number; null when there is no such process. */
export function startTimeOf(pid: number): string | null {
  return process.platform === "linux" ? linuxStartTime(pid) : psStartTime(pid);
}

/**
 * Ends a process and waits until it is gone: `signal` first, SIGKILL after `graceMs`. A process that is gone or whose
 * number belongs to another one by now is left alone. The record is removed.
 */
export async function stopRecordedProcess(
  path: string,
  options: { graceMs: number; signal?: NodeJS.Signals; wholeGroup?: boolean },
): Promise<boolean> {
  const record = findRecordedProcess(path);
  if (record !== null) {
    const isThere = (): boolean => startTimeOf(record.pid) === record.startedAt;
    const target = options.wholeGroup === true ? -record.pid : record.pid;
    sendSignal(target, options.signal ?? "SIGTERM");
    if (!(await waitUntil(() => !isThere(), options.graceMs))) sendSignal(target, "SIGKILL");
    if (!(await waitUntil(() => !isThere(), 5000))) return false;
  }
  rmSync(path, { force: true });
  return true;
}

/** Parses field 22 of /proc/<pid>/stat; the program's name in field 2 may hold spaces and brackets. */
export function parseStartTicks(stat: string): { ticks: string; state: string } | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, ticks] = [fields[0], fields[19]];
  return state === undefined || ticks === undefined || !/^\d+$/.test(ticks) ? null : { ticks, state };
}

function linuxStartTime(pid: number): string | null {
  try {
    const parsed = parseStartTicks(readFileSync(`/proc/${pid}/stat`, "utf8"));
    // A zombie does nothing any more; it only waits for its parent.
    if (parsed === null || parsed.state === "Z") return null;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${parsed.ticks}`;
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemErrorCode(error) ?? "")) return null;
    throw error;
  }
}

function psStartTime(pid: number): string | null {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() === "" ? null : stdout.trim();
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

async function waitUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  while (!isDone()) {
    if (performance.now() > endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

function isPidRecord(value: unknown): value is PidRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isSafeInteger(value.pid) &&
    "startedAt" in value &&
    typeof value.startedAt === "string" &&
    "fingerprint" in value &&
    typeof value.fingerprint === "string"
  );
}

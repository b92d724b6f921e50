import { rmSync } from "node:fs";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OperatorError, systemErrorCode } from "./operator-error";
import { findRecordedProcess, readPidRecord, startTimeOf } from "./pid-record";

/**
 * Lets one command at a time work on what `path` stands for. The second waits and says so, up to `waitMs`. A lock
 * whose holder died is taken over. Answers the function that gives it back, which a process that ends calls too.
 */
export async function acquireLock(options: {
  path: string;
  waitMs: number;
  onWait: (holderPid: number) => void;
}): Promise<() => void> {
  const { path, waitMs, onWait } = options;
  const startedAt = startTimeOf(process.pid) ?? "";
  await mkdir(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  await writeFile(own, JSON.stringify({ pid: process.pid, startedAt, fingerprint: "" }), { mode: 0o600 });
  const endMs = performance.now() + waitMs;
  let hasSaid = false;
  try {
    // A link appears whole and fails when the name is taken, so that no half-written lock is ever seen.
    while (!(await tryLink(own, path))) {
      const holder = findRecordedProcess(path);
      if (holder === null) {
        await takeAway(path, `${own}.stale`);
        continue;
      }
      if (!hasSaid) onWait(holder.pid);
      hasSaid = true;
      if (performance.now() > endMs) {
        throw new OperatorError(
          `Another command (process ${holder.pid}) has been at work here for too long: end it and run this again.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  } finally {
    await rm(own, { force: true });
  }
  const release = (): void => {
    process.off("exit", release);
    if (readPidRecord(path)?.pid === process.pid) rmSync(path, { force: true });
  };
  process.on("exit", release);
  return release;
}

/** Takes a dead holder's lock away. When another one has just taken it, its lock is put back. */
async function takeAway(path: string, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw error;
  }
  if (findRecordedProcess(aside) !== null) await tryLink(aside, path);
  await rm(aside, { force: true });
}

async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

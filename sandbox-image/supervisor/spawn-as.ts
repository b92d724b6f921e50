import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, writeFileSync } from "node:fs";
import { createPipe } from "./libc";

export interface SpawnInput {
  uid: number;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

export interface SpawnedCommand {
  pid: number;
  /** Read ends, to be closed by whoever takes them. */
  stdoutFd: number;
  stderrFd: number;
  exited: Promise<ExitStatus>;
}

/** A wait status: one of the two is not null. */
export interface ExitStatus {
  code: number | null;
  signal: string | null;
}

/** The container has no process left to give; `EAGAIN` or `ENOMEM` of the system. */
export class SpawnExhaustedError extends Error {
  override readonly name = "SpawnExhaustedError";
}

/** The start of every process that runs as a Run's uid: no group, no capability, a session of its own. */
export function commandLineAs(uid: number, argv: readonly string[]): [string, ...string[]] {
  const id = String(uid);
  return [
    "/usr/bin/setpriv",
    "--reuid",
    id,
    "--regid",
    id,
    "--clear-groups",
    "--inh-caps=-all",
    "--ambient-caps=-all",
    "--",
    ...argv,
  ];
}

/**
 * Starts a command as `uid` with nothing on its standard input. The kernel kills it before the supervisor when memory
 * runs out. Errors: `SpawnExhaustedError`; anything else that keeps the process from existing rejects as it came.
 */
export async function spawnAs(input: SpawnInput): Promise<SpawnedCommand> {
  const stdout = createPipe(input.uid);
  let stderr: ReturnType<typeof createPipe>;
  try {
    stderr = createPipe(input.uid);
  } catch (error) {
    closeSync(stdout.readFd);
    closeSync(stdout.writeFd);
    throw error;
  }
  try {
    const [file, ...args] = commandLineAs(input.uid, input.argv);
    const { pid, exited } = await started(() =>
      spawn(file, args, {
        cwd: input.cwd,
        env: input.env as NodeJS.ProcessEnv,
        detached: true,
        stdio: ["ignore", stdout.writeFd, stderr.writeFd],
      }),
    );
    return { pid, stdoutFd: stdout.readFd, stderrFd: stderr.readFd, exited };
  } catch (error) {
    closeSync(stdout.readFd);
    closeSync(stderr.readFd);
    throw error;
  } finally {
    closeSync(stdout.writeFd);
    closeSync(stderr.writeFd);
  }
}

/** Runs `start` so that the new process inherits the highest chance to be killed for memory; resolves once it exists. */
export async function started<Child extends ChildProcess>(
  start: () => Child,
): Promise<{ child: Child; pid: number; exited: Promise<ExitStatus> }> {
  let child: Child;
  setOwnOomScore(1000);
  try {
    child = start();
  } catch (error) {
    throw toSpawnError(error);
  } finally {
    setOwnOomScore(0);
  }
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  if (child.pid === undefined) {
    await new Promise((_resolve, reject) => {
      child.once("error", (error) => reject(toSpawnError(error)));
    });
  }
  child.on("error", () => undefined);
  if (child.pid === undefined) throw new SpawnExhaustedError("the process did not start");
  return { child, pid: child.pid, exited };
}

/** Raising needs no right, and neither does going back to where it began. */
function setOwnOomScore(score: number): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", String(score));
  } catch {
    // A kernel without it kills by size alone.
  }
}

function toSpawnError(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EAGAIN" || code === "ENOMEM" || code === "EMFILE" || code === "ENFILE") {
    return new SpawnExhaustedError("no process could be made", { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

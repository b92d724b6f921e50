import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fingerprintOf } from "./content-hash";
import type { DataLayout } from "./data-dir";
import { OperatorError } from "./operator-error";
import { findRecordedProcess, startTimeOf, stopRecordedProcess } from "./pid-record";

const logBytesMax = 10 * 1024 * 1024;

/** A process that outlives the command which started it. */
export interface ProcessSpec {
  name: string;
  program: string;
  arguments: readonly string[];
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** A hash of the code that it runs: when that changes the process is started anew. */
  codeHash: string;
  uid?: number;
  gid?: number;
  stopSignal?: NodeJS.Signals;
  stopGraceMs?: number;
}

export function recordPathOf(layout: DataLayout, name: string): string {
  return join(layout.runDir, `${name}.json`);
}

export function logPathOf(layout: DataLayout, name: string): string {
  return join(layout.logsDir, `${name}.log`);
}

/** Starts the process when it does not run, and anew when its code or its settings are others; else leaves it alone. */
export async function ensureProcess(
  layout: DataLayout,
  spec: ProcessSpec,
): Promise<"kept" | "started" | "restarted"> {
  const recordPath = recordPathOf(layout, spec.name);
  const wanted = fingerprintOf([
    spec.program,
    spec.arguments,
    spec.env,
    spec.cwd,
    spec.codeHash,
    spec.uid ?? null,
  ]);
  const found = findRecordedProcess(recordPath);
  if (found?.fingerprint === wanted) return "kept";
  await stopProcess(layout, spec);
  startProcess({ spec, recordPath, logPath: logPathOf(layout, spec.name), fingerprint: wanted });
  return found === null ? "started" : "restarted";
}

/** Ends the process and all that it started. Errors: an `OperatorError` when it cannot be ended. */
export async function stopProcess(
  layout: DataLayout,
  spec: Pick<ProcessSpec, "name" | "stopSignal" | "stopGraceMs">,
): Promise<void> {
  const isGone = await stopRecordedProcess(recordPathOf(layout, spec.name), {
    graceMs: spec.stopGraceMs ?? 10_000,
    signal: spec.stopSignal ?? "SIGTERM",
    wholeGroup: true,
  });
  if (!isGone)
    throw new OperatorError(
      `The process ${spec.name} does not end, not even when killed: look at it with ps.`,
    );
}

/** Starts a process apart from this command and writes its record before anything else can go wrong. */
export function startProcess(options: {
  spec: ProcessSpec;
  recordPath: string;
  logPath: string;
  fingerprint: string;
}): void {
  const { spec, recordPath, logPath, fingerprint } = options;
  mkdirSync(dirname(logPath), { recursive: true });
  if (existsSync(logPath) && statSync(logPath).size > logBytesMax) renameSync(logPath, `${logPath}.1`);
  const log = openSync(logPath, "a", 0o600);
  try {
    const child = spawn(spec.program, spec.arguments, {
      cwd: spec.cwd,
      env: spec.env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["ignore", log, log],
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    });
    child.on("error", () => {});
    const startedAt = child.pid === undefined ? null : startTimeOf(child.pid);
    if (child.pid === undefined || startedAt === null) {
      throw new OperatorError(`The process ${spec.name} could not be started: ${lastLogLine(logPath)}.`);
    }
    writeFileSync(recordPath, JSON.stringify({ pid: child.pid, startedAt, fingerprint }), { mode: 0o600 });
    child.unref();
  } finally {
    closeSync(log);
  }
}

/** The last thing that a process wrote, for a sentence about why it ended. */
export function lastLogLine(logPath: string): string {
  if (!existsSync(logPath)) return "it wrote nothing";
  const lines = readFileSync(logPath, "utf8").trimEnd().split("\n");
  const last = lines.at(-1)?.trim() ?? "";
  return last === "" ? "it wrote nothing" : last.slice(0, 400).replace(/\.$/, "");
}

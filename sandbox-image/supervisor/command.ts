import type { Clock } from "../../server/platform/clock";
import type { CommandEnd } from "../../server/sandboxd/types";
import type { KeptOutput } from "./kept-output";
import type { KillScope } from "./kill-set";
import { pumpOutput } from "./output-pump";
import type { EndProcesses } from "./process-ender";
import type { ExitStatus, SpawnedCommand } from "./spawn-as";

/** Between TERM and KILL for a command that ran out of time or was stopped. */
export const endGraceMs = 2_000;
const leftoverGraceMs = 300;
/** How long output is awaited after the main process is gone, while something else still holds the pipe. */
const drainMs = 100;
const lastDrainMs = 1_000;
/** After KILL a wait status comes at once, or never. */
const waitStatusMs = 5_000;

/** Why a command is being ended by us. */
export interface EndCause {
  status: "timed_out" | "interrupted";
  reason: CommandEnd["reason"];
  message: string | null;
  /** Between TERM and KILL; 0 for what has to end at once. */
  graceMs: number;
}

export interface Command {
  readonly id: string;
  readonly uid: number;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  /** Null while it runs; set once, when everything that it started is gone and its output is complete. */
  readonly end: CommandEnd | null;
  /** Resolves with the end. */
  readonly ended: Promise<CommandEnd>;
  /** Calls `listener` whenever there is more output, and at the end. Returns how to stop. */
  onChange(listener: () => void): () => void;
  /** Ends it and everything of it; the first cause counts. Resolves when it has ended. */
  interrupt(cause: EndCause): Promise<CommandEnd>;
  /** Frees what is kept of it. */
  forget(): void;
}

export interface CommandDeps {
  id: string;
  uid: number;
  process: SpawnedCommand;
  stdout: KeptOutput;
  stderr: KeptOutput;
  timeoutMs: number;
  clock: Clock;
  endProcesses: EndProcesses;
  /** Asked anew at each look, since other commands of the uid come and go. */
  scope(session: number, isMainAlive: boolean): KillScope;
  /** Says that memory ran out, when the wait status and the kernel's counters tell so. */
  explain(exit: ExitStatus): Pick<CommandEnd, "reason" | "message">;
}

/** Follows a started process to its end. */
export function followProcess(deps: CommandDeps): Command {
  const { clock, process, stdout, stderr } = deps;
  const startedMs = clock.monotonicMs();
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());
  const readers = [
    pumpOutput(process.stdoutFd, stdout, notify),
    pumpOutput(process.stderrFd, stderr, notify),
  ];
  const outputEnded = Promise.all(readers.map((reader) => reader.ended));

  let cause: EndCause | null = null;
  let end: CommandEnd | null = null;
  let isMainAlive = true;
  let wake = (): void => {};
  const woken = new Promise<void>((resolve) => (wake = resolve));
  const exited = process.exited.then((exit) => {
    isMainAlive = false;
    return exit;
  });
  const timeout = new AbortController();
  const endEverything = (graceMs: number): Promise<boolean> =>
    deps.endProcesses(() => deps.scope(process.pid, isMainAlive), graceMs);

  async function run(): Promise<CommandEnd> {
    clock.sleep(deps.timeoutMs, timeout.signal).then(
      () => {
        cause ??= {
          status: "timed_out",
          reason: null,
          message: `ended after ${deps.timeoutMs} ms`,
          graceMs: endGraceMs,
        };
        wake();
      },
      () => undefined,
    );
    await Promise.race([exited, woken]);
    timeout.abort();
    const wasEnded = cause;
    if (wasEnded !== null) await endEverything(wasEnded.graceMs);
    const exit = await within(exited, waitStatusMs, clock);
    const explained = exit === null || wasEnded !== null ? null : deps.explain(exit);
    if (wasEnded === null) {
      await within(outputEnded, drainMs, clock);
      await endEverything(leftoverGraceMs);
    }
    await within(outputEnded, lastDrainMs, clock);
    for (const reader of readers) reader.stop();
    await outputEnded;
    return toCommandEnd(deps, exit, wasEnded ?? explained, Math.round(clock.monotonicMs() - startedMs));
  }

  const ended = run().then((result) => {
    end = result;
    notify();
    listeners.clear();
    return result;
  });

  return {
    id: deps.id,
    uid: deps.uid,
    stdout,
    stderr,
    ended,
    get end() {
      return end;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt: (why) => {
      cause ??= why;
      wake();
      return ended;
    },
    forget: () => {
      stdout.close();
      stderr.close();
    },
  };
}

function toCommandEnd(
  { id, stdout, stderr }: CommandDeps,
  exit: ExitStatus | null,
  why: Partial<EndCause> | null,
  durationMs: number,
): CommandEnd {
  return {
    status: why?.status ?? (exit === null ? "interrupted" : "exited"),
    commandId: id,
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    durationMs,
    reason: why?.reason ?? null,
    message: why?.message ?? null,
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
    stdoutKeptBytes: stdout.keptBytes,
    stderrKeptBytes: stderr.keptBytes,
    stdoutTail: stdout.tail(),
    stderrTail: stderr.tail(),
  };
}

/** What `promise` gives, or null when `ms` have passed first. */
async function within<Value>(promise: Promise<Value>, ms: number, clock: Clock): Promise<Value | null> {
  const done = new AbortController();
  const timer = clock.sleep(ms, done.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([promise, timer]);
  } finally {
    done.abort();
  }
}

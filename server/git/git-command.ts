import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../platform/clock";

/** One call of git. Arguments go to the kernel as they are; no shell sees them. */
export interface GitCall {
  args: readonly string[];
  gitDirectory?: string;
  stdin?: Uint8Array | string;
  /** Settings for this call alone, over the constant ones. They stand in the environment, never among the arguments. */
  config?: Readonly<Record<string, string>>;
  /** Added to the constant environment: `GIT_INDEX_FILE` and the like. */
  env?: Readonly<Record<string, string>>;
}

export interface GitLimits {
  timeoutMs?: number;
  /** Where the output is cut; git is ended there. */
  stdoutBytesMax?: number;
  signal?: AbortSignal;
  /** Gets what git says while it works; the last of it is kept besides. */
  onStderr?: (text: string) => void;
}

export interface GitEnd {
  /** Null when a signal ended it, ours or another. */
  exitCode: number | null;
  stdout: Buffer;
  /** The last of what it said, for a log. */
  stderr: string;
  isTruncated: boolean;
}

export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Runs git with one clean constant environment: no configuration, no hook and no prompt of the machine or a repository's author. */
export interface Git {
  /** Runs it to its end. Rejects only when git cannot be started, or was ended by the time limit or the signal. */
  run(call: GitCall, limits?: GitLimits): Promise<GitEnd>;
  /** As `run`; an exit other than 0 rejects with `GitFailure`. Gives standard output. */
  succeed(call: GitCall, limits?: GitLimits): Promise<Buffer>;
  /** Starts it with open pipes, in a process group of its own. */
  start(call: GitCall): GitProcess;
  /**
   * Ends it and all that it started: TERM, then KILL when that does not help. One that receives objects is first left to notice
   * that nothing comes any more, because only then it surely removes what it had received.
   */
  end(child: GitProcess, manner?: "at_once" | "receiving"): Promise<void>;
}

/** git ended with something else than success. `stderr` may hold what an agent chose: it is for the log. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
  constructor(
    readonly command: string,
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super(`git ${command} ended with ${exitCode ?? "a signal"}: ${stderr.slice(-500)}`);
  }
}

const timeoutMsDefault = 60_000;
const stdoutBytesMaxDefault = 64 * 1024 * 1024;
const stderrCharactersKept = 8_000;
const endGraceMs = 3_000;

/**
 * Memory that one process of git may allocate (files that it maps do not count): a small push can name objects that unfold
 * to gigabytes, and must not take the whole service down.
 */
const dataBytesMax = 400 * 1024 * 1024;

const constantConfig: Readonly<Record<string, string>> = {
  "safe.directory": "*",
  "core.hooksPath": "/dev/null",
  "core.attributesFile": "/dev/null",
  // Newer gits read attributes of a bare repository's HEAD; ours come from nowhere.
  "attr.tree": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "core.fsync": "committed",
  "core.logAllRefUpdates": "false",
  // A blob above this is streamed where it can be, and never compared as text.
  "core.bigFileThreshold": "32m",
  // A fork's pushes are told nothing of the canonical repository's refs.
  "core.alternateRefsPrefixes": "refs/none/",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "pack.threads": "1",
  "pack.windowMemory": "64m",
  "protocol.allow": "never",
  "transfer.fsckObjects": "true",
  "transfer.advertiseSID": "false",
  "uploadpack.allowFilter": "false",
  "uploadpack.allowTipSHA1InWant": "false",
  "uploadpack.allowReachableSHA1InWant": "false",
  "uploadpack.allowAnySHA1InWant": "false",
  "uploadarchive.allowUnreachable": "false",
  "receive.advertisePushOptions": "false",
  "receive.autogc": "false",
  "receive.shallowUpdate": "false",
};

const constantEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C",
  TZ: "UTC",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "/bin/false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_ADVICE: "0",
};

export function createGit(deps: { clock: Clock }): Git {
  const end: Git["end"] = (child, manner = "at_once") => endGroup(child, manner, deps.clock);
  const run = async (call: GitCall, limits: GitLimits = {}): Promise<GitEnd> => {
    const child = startGit(call);
    const over = new AbortController();
    let cutBy: "time" | "signal" | null = null;
    const cut = (by: "time" | "signal"): void => {
      cutBy ??= by;
      void end(child);
    };
    const onAbort = (): void => cut("signal");
    limits.signal?.addEventListener("abort", onAbort, { once: true });
    if (limits.signal?.aborted === true) onAbort();
    void deps.clock.sleep(limits.timeoutMs ?? timeoutMsDefault, over.signal).then(
      () => cut("time"),
      () => undefined,
    );
    try {
      const result = await collect(child, call, limits, () => void end(child));
      if (cutBy === "time") throw new GitFailure(nameOf(call), null, "it took too long");
      if (cutBy === "signal") throw new GitFailure(nameOf(call), null, "it was stopped");
      return result;
    } finally {
      over.abort();
      limits.signal?.removeEventListener("abort", onAbort);
    }
  };
  return {
    run,
    succeed: async (call, limits) => {
      const result = await run(call, limits);
      if (result.exitCode !== 0) throw new GitFailure(nameOf(call), result.exitCode, result.stderr);
      return result.stdout;
    },
    start: startGit,
    end,
  };
}

function startGit(call: GitCall): GitProcess {
  const config = Object.entries({ ...constantConfig, ...call.config });
  const env: Record<string, string> = {
    ...constantEnvironment,
    ...call.env,
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...(call.gitDirectory === undefined ? {} : { GIT_DIR: call.gitDirectory }),
  };
  const child = spawn("prlimit", [`--data=${dataBytesMax}`, "git", ...call.args], {
    env: env as NodeJS.ProcessEnv,
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // Without a listener a pipe that git closed early would end this process.
  child.stdin.on("error", () => undefined);
  child.once("close", () => closedChildren.add(child));
  return child;
}

/** A child that is not in here may have something alive in its group, also when it has ended itself. */
const closedChildren = new WeakSet<GitProcess>();

async function collect(
  child: GitProcess,
  call: GitCall,
  limits: GitLimits,
  onOverflow: () => void,
): Promise<GitEnd> {
  const bytesMax = limits.stdoutBytesMax ?? stdoutBytesMaxDefault;
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isTruncated = false;
  let stderr = "";
  child.stdout.on("data", (piece: Buffer) => {
    if (isTruncated) return;
    pieces.push(piece.subarray(0, bytesMax - bytes));
    bytes += piece.length;
    if (bytes <= bytesMax) return;
    isTruncated = true;
    onOverflow();
  });
  child.stderr.on("data", (piece: Buffer) => {
    const text = piece.toString("utf8");
    stderr = (stderr + text).slice(-stderrCharactersKept);
    limits.onStderr?.(text);
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  child.stdin.end(call.stdin ?? "");
  const [exitCode] = await closed;
  return { exitCode, stdout: Buffer.concat(pieces), stderr, isTruncated };
}

async function endGroup(child: GitProcess, manner: "at_once" | "receiving", clock: Clock): Promise<void> {
  if (child.pid === undefined || closedChildren.has(child)) return;
  const closed = once(child, "close").then(
    () => true,
    () => true,
  );
  const isClosedInTime = async (): Promise<boolean> => {
    const over = new AbortController();
    const grace = clock.sleep(endGraceMs, over.signal).then(
      () => false,
      () => false,
    );
    return Promise.race([closed, grace]).finally(() => over.abort());
  };
  // Nobody reads on: a pipe that is full, or paused, must not keep the child from closing.
  child.stdout.resume();
  child.stdin.destroy();
  if (manner === "receiving" && (await isClosedInTime())) return;
  signalGroup(child.pid, "SIGTERM");
  if (await isClosedInTime()) return;
  signalGroup(child.pid, "SIGKILL");
  await closed;
}

function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function nameOf(call: GitCall): string {
  return call.args[0] ?? "";
}

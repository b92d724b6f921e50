import type { Branded } from "../platform/types";

/** Names the one Sandbox of a Project: `proj-<lower-case uuid>`. Made by `parseSandboxId` only. */
export type SandboxId = Branded<string, "SandboxId">;

/** The unix user of one Run inside its Sandbox, 10000 to 59999. Never used twice in the life of a Sandbox. */
export type RunUid = Branded<number, "RunUid">;

export type SandboxRuntime = "runc" | "runsc";

/** Why a Sandbox is no longer there. */
export type SandboxEndReason =
  "idle" | "removed" | "out_of_memory" | "disk_full" | "engine_restarted" | "drifted" | "lost";

/**
 * What was observed of one Sandbox. `runtimeId` names this materialisation (the engine's container id): it
 * changes whenever the Sandbox is started anew, so work that began under another one is `interrupted`.
 */
export interface SandboxRecord {
  sandboxId: SandboxId;
  state: "starting" | "live" | "removing" | "gone" | "failed";
  runtimeId: string | null;
  runtime: SandboxRuntime;
  /** `sha256:…` of the image that it was started from. */
  imageDigest: string | null;
  /** The internal network that only this Sandbox, git and egress are on, and its own address there. */
  network: string | null;
  address: string | null;
  startedAt: string | null;
  /** Milliseconds until it may be removed when nothing happens; null while a command runs or when it is not live. */
  idleRemovalInMs: number | null;
  runningCommands: number;
  usage: SandboxUsage | null;
  endReason: SandboxEndReason | null;
  detail: string | null;
  /** When it was gone or could not be started; null before. */
  endedAt: string | null;
}

export interface SandboxUsage {
  cpuPercent: number;
  memoryBytes: number;
  memoryBytesMax: number;
  processes: number;
  processesMax: number;
  diskBytes: number;
  diskBytesMax: number;
}

export interface SandboxList {
  /** When this was observed, ISO 8601. */
  asOf: string;
  liveMax: number;
  /** Starting, live and removing ones, oldest first. */
  live: SandboxRecord[];
  /** Containers started ahead of any caller. */
  warmCount: number;
  /** The last ones that went away, newest first, with their reason. */
  gone: SandboxRecord[];
}

export type EnsureResult =
  | { status: "live"; sandbox: SandboxRecord }
  | { status: "refused"; reason: "sandbox_max"; message: string; limit: number; used: number };

export type OutputStream = "stdout" | "stderr";

/** A piece of a command's output. Within one stream pieces arrive in order; between the two there is no order. */
export interface OutputChunk {
  stream: OutputStream;
  /** Byte offset of the first byte of `bytes` in its stream. */
  offset: number;
  bytes: Uint8Array;
}

export interface CommandSpec {
  /** Given by the caller, lower-case uuid. Starting the same id twice joins the first. */
  commandId: string;
  uid: RunUid;
  /** Handed to the kernel as it is; no shell ever sees it. */
  argv: readonly string[];
  /** Absolute path inside the Sandbox. */
  cwd: string;
  /** Added to the Sandbox's own environment; the loader's and the supervisor's names are refused. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
}

/**
 * How a command ended, with exact byte counts. `exited` comes from a wait status, never from the end of a stream;
 * when no wait status can be known any more the answer is `interrupted`.
 */
export interface CommandEnd {
  status: "exited" | "timed_out" | "interrupted";
  commandId: string;
  exitCode: number | null;
  /** `SIGKILL` and the like when a signal ended it. */
  signal: string | null;
  durationMs: number;
  /**
   * `stopped` was asked for; the others name the limit or the loss. `connection_lost`: nobody could be asked any more;
   * the command may still run and can be followed again. Null for an ordinary end.
   */
  reason:
    | "stopped"
    | "out_of_memory"
    | "process_limit"
    | "disk_limit"
    | "sandbox_gone"
    | "connection_lost"
    | "unknown_command"
    | null;
  message: string | null;
  /** Bytes that the command wrote, and how many of each stream's first bytes were kept. */
  stdoutBytes: number;
  stderrBytes: number;
  stdoutKeptBytes: number;
  stderrKeptBytes: number;
  /** The last bytes of a stream whose middle was not kept; empty otherwise. */
  stdoutTail: Uint8Array;
  stderrTail: Uint8Array;
}

export interface FileTarget {
  uid: RunUid;
  /** The Run's directory, absolute. Nothing outside of it is ever touched. */
  root: string;
  /** Relative to `root`, `/` as separator. */
  path: string;
}

export type FileType = "file" | "directory" | "symlink" | "other";

export interface FileEntry {
  path: string;
  type: FileType;
  sizeBytes: number;
  /** Permission bits, octal, e.g. `0644`. */
  mode: string;
  /** Where a symbolic link points to, as text; never followed. */
  target: string | null;
}

export interface FileContent {
  bytes: Uint8Array;
  sizeBytes: number;
  mode: string;
  truncated: boolean;
}

/** What application code may ask of Sandboxes. sandboxd's client and the test double implement it. */
export interface Sandboxes {
  /** Joins a start under way, claims a warm container or starts one. Idempotent. Errors: `sandbox.*`. */
  ensure(input: { sandboxId: SandboxId; sleepAfterMs?: number }): Promise<EnsureResult>;
  /** The present or the last known one; null when this id was never seen or is long gone. */
  find(sandboxId: SandboxId): Promise<SandboxRecord | null>;
  list(): Promise<SandboxList>;
  /** Counts as activity: keeps it for at least `sleepAfterMs` (default and least: the idle time) from now on. */
  touch(input: { sandboxId: SandboxId; sleepAfterMs?: number }): Promise<void>;
  /** Ends every command in it as `interrupted` and removes it with its disk. Removing what is not there is done. */
  remove(input: { sandboxId: SandboxId }): Promise<void>;

  /** Makes the Run's directory, HOME and TMPDIR, each 0700 and the uid's own. Idempotent. */
  prepareRun(input: {
    sandboxId: SandboxId;
    uid: RunUid;
    directory: string;
  }): Promise<{ home: string; tmp: string }>;
  /** Ends every process of the uid, then removes its directories. When it answers, no process of it is alive. */
  removeRun(input: { sandboxId: SandboxId; uid: RunUid; directory: string }): Promise<void>;

  /**
   * Starts a command and follows it to its end. A broken connection to sandboxd is mended and the command followed
   * on from the byte reached. Aborting `signal` stops following, not the command.
   */
  exec(
    input: { sandboxId: SandboxId } & CommandSpec,
    onOutput?: (chunk: OutputChunk) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<CommandEnd>;
  /** Follows a command that was started before, from the given offsets. */
  followCommand(
    input: { sandboxId: SandboxId; commandId: string; stdoutOffset?: number; stderrOffset?: number },
    onOutput?: (chunk: OutputChunk) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<CommandEnd>;
  /** Ends the command's whole group, TERM then KILL, and everything that it left behind. */
  stopCommand(input: { sandboxId: SandboxId; commandId: string }): Promise<void>;

  readFile(
    input: { sandboxId: SandboxId; bytesMax: number; offset?: number } & FileTarget,
  ): Promise<FileContent>;
  /** Replaces atomically. `mode` null keeps the mode of what was there, else 0644. Parents are made. */
  writeFile(
    input: { sandboxId: SandboxId; bytes: Uint8Array; mode: number | null } & FileTarget,
  ): Promise<{ created: boolean; mode: string }>;
  /** Ordered by path; `after` is the last path of the page before. Links are listed, never entered. */
  listFiles(
    input: { sandboxId: SandboxId; depth: number; limit: number; after?: string } & FileTarget,
  ): Promise<{ items: FileEntry[]; truncated: boolean }>;
  deleteFile(
    input: { sandboxId: SandboxId; recursive: boolean } & FileTarget,
  ): Promise<{ deletedCount: number }>;
}

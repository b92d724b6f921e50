import type {
  CommandEnd,
  CommandSpec,
  FileContent,
  FileEntry,
  FileTarget,
  OutputChunk,
  RunUid,
  SandboxUsage,
} from "./types";

/** What the supervisor inside one Sandbox says of itself. All times are durations: its clock is nobody else's. */
export interface SupervisorStatus {
  /** The runtime that the kernel inside proves, from `/proc/version`. */
  runtime: "runc" | "runsc";
  /** Until it may be removed when nothing happens; 0 when that has passed. */
  idleRemovalInMs: number;
  runningCommands: number;
  usage: Omit<SandboxUsage, "cpuPercent"> & { cpuTimeMs: number };
  diskFreeBytes: number;
}

/** The port to the one process of ours inside a Sandbox. Every call but `status` counts as activity. */
export interface Supervisor {
  status(): Promise<SupervisorStatus>;
  /** Keeps the Sandbox for at least `keepForMs` from now; a longer promise made before stands. */
  touch(keepForMs: number): Promise<void>;
  prepareRun(input: { uid: RunUid; directory: string }): Promise<{ home: string; tmp: string }>;
  removeRun(input: { uid: RunUid; directory: string }): Promise<void>;
  /** Answers once the process exists; the same commandId again answers the same. */
  startCommand(spec: CommandSpec): Promise<void>;
  followCommand(
    input: { commandId: string; stdoutOffset: number; stderrOffset: number },
    onOutput: (chunk: OutputChunk) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<CommandEnd>;
  stopCommand(commandId: string): Promise<void>;
  readFile(input: { bytesMax: number; offset?: number } & FileTarget): Promise<FileContent>;
  writeFile(
    input: { bytes: Uint8Array; mode: number | null } & FileTarget,
  ): Promise<{ created: boolean; mode: string }>;
  listFiles(
    input: { depth: number; limit: number; after?: string } & FileTarget,
  ): Promise<{ items: FileEntry[]; truncated: boolean }>;
  deleteFile(input: { recursive: boolean } & FileTarget): Promise<{ deletedCount: number }>;
  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;
  close(): void;
}

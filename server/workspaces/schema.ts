import { z } from "zod";
import { idempotencyKey } from "../idempotency/schema";

const pathCharsMax = 4096;
const textCharsMax = 10 * 1024 * 1024;
/** Base64 of the 10 MiB that a file tool writes at most; the bytes themselves are counted when they are read. */
const contentCharsMax = 13_981_016;
const waitMsMax = 300_000;

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "is not a lower-case uuid");
const sandboxId = z.string().regex(/^proj-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "is not a sandbox ID");
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in lower-case hex");
const commit = z.string().regex(/^[0-9a-f]{40}$/, "is not a commit");
const time = z.iso.datetime();
const count = z.int().min(0);
const path = z.string().min(1).max(pathCharsMax);
const line = z.int().min(1).max(1_000_000_000);
const waitMs = z.int().min(0).max(waitMsMax);

export const refusalReason = z.enum([
  "task_kind",
  "project_not_ready",
  "change_slots_full",
  "meter_exhausted",
  "sandbox_max",
]);

export const openWorkspaceInput = z.strictObject({
  taskId: uuid,
  revisesChangeSetId: uuid.optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type OpenWorkspaceInput = z.output<typeof openWorkspaceInput>;

/** An open is granted, or refused with nothing left behind: no fork, no container, no reservation. */
export const openWorkspaceResult = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("open"),
    runId: uuid,
    sandboxId,
    directory: z.string(),
    forkName: z.string(),
    baseCommit: commit,
    reservedSeconds: count,
  }),
  z.strictObject({
    status: z.literal("refused"),
    refusalId: uuid,
    reason: refusalReason,
    message: z.string(),
    /** Null where nothing is counted. */
    limit: count.nullable(),
    used: count.nullable(),
    retryAt: time.optional(),
  }),
]);
export type OpenWorkspaceResult = z.output<typeof openWorkspaceResult>;

/** The input of `workspace.get` and `workspace.close`. */
export const runInput = z.strictObject({ runId: uuid });
export type RunInput = z.output<typeof runInput>;

/** Stands in a result when the workspace was made anew for this call, and says what was not done again. */
export const restored = z.strictObject({
  at: time,
  reason: z.string(),
  commandsNotReplayed: z.array(uuid),
});
export type Restored = z.output<typeof restored>;

export const listFilesInput = z.strictObject({
  runId: uuid,
  path: path.default("."),
  depth: z.int().min(1).max(64).default(1),
  includeIgnored: z.boolean().default(false),
  cursor: z.string().min(1).max(8_192).optional(),
  limit: z.int().min(1).max(1_000).default(200),
});
export type ListFilesInput = z.output<typeof listFilesInput>;

export const listFilesResult = z.strictObject({
  items: z.array(
    z.strictObject({
      path: z.string(),
      type: z.enum(["file", "directory", "symlink", "submodule", "other"]),
      sizeBytes: count,
      /** Permission bits, octal, `0644`. */
      mode: z.string(),
      /** Where a link points to, as text. */
      target: z.string().optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
  restored: restored.optional(),
});
export type ListFilesResult = z.output<typeof listFilesResult>;

/** Both ends of a range of lines are included; `maxBytes` bounds what is given, never what is hashed. */
export const readFileInput = z
  .strictObject({
    runId: uuid,
    path,
    startLine: line.optional(),
    endLine: line.optional(),
    maxBytes: z
      .int()
      .min(1)
      .max(10 * 1024 * 1024)
      .default(256 * 1024),
  })
  .refine((input) => input.endLine === undefined || input.endLine >= (input.startLine ?? 1), {
    path: ["endLine"],
    message: "is before startLine",
  });
export type ReadFileInput = z.output<typeof readFileInput>;

export const readFileResult = z.strictObject({
  path: z.string(),
  encoding: z.enum(["utf8", "base64"]),
  content: z.string(),
  /** Of the whole file; null for a file of more than 10 MiB. */
  sha256: sha256.nullable(),
  sizeBytes: count,
  /** Null for a binary file and for one of more than 10 MiB. */
  lineCount: count.nullable(),
  truncated: z.boolean(),
  restored: restored.optional(),
});
export type ReadFileResult = z.output<typeof readFileResult>;

export const writeFileInput = z.strictObject({
  runId: uuid,
  path,
  content: z.string().max(contentCharsMax),
  encoding: z.enum(["utf8", "base64"]).default("utf8"),
  /** Absent: the mode of what is there stays, a new file is 0644. */
  executable: z.boolean().optional(),
  expectedSha256: sha256.optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type WriteFileInput = z.output<typeof writeFileInput>;

export const writeFileResult = z.strictObject({
  path: z.string(),
  sha256,
  sizeBytes: count,
  created: z.boolean(),
  restored: restored.optional(),
});
export type WriteFileResult = z.output<typeof writeFileResult>;

export const editFileInput = z.strictObject({
  runId: uuid,
  path,
  oldText: z.string().min(1).max(textCharsMax),
  newText: z.string().max(textCharsMax),
  replaceAll: z.boolean().default(false),
  expectedSha256: sha256.optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type EditFileInput = z.output<typeof editFileInput>;

export const editFileResult = z.strictObject({
  path: z.string(),
  sha256,
  replacements: z.int().min(1),
  restored: restored.optional(),
});
export type EditFileResult = z.output<typeof editFileResult>;

export const deleteFileInput = z.strictObject({
  runId: uuid,
  path,
  recursive: z.boolean().default(false),
  idempotencyKey: idempotencyKey.optional(),
});
export type DeleteFileInput = z.output<typeof deleteFileInput>;

export const deleteFileResult = z.strictObject({
  path: z.string(),
  deletedCount: count,
  restored: restored.optional(),
});
export type DeleteFileResult = z.output<typeof deleteFileResult>;

/** An empty or overlong command is not a fault of the input but a rejection, which says what is allowed. */
export const runCommandInput = z.strictObject({
  runId: uuid,
  command: z.string().max(1024 * 1024),
  timeoutMs: z.int().min(1).max(1_800_000).default(120_000),
  waitMs: waitMs.default(45_000),
  idempotencyKey: idempotencyKey.optional(),
});
export type RunCommandInput = z.output<typeof runCommandInput>;

export const waitCommandInput = z.strictObject({
  runId: uuid,
  commandId: uuid,
  waitMs: waitMs.default(45_000),
});
export type WaitCommandInput = z.output<typeof waitCommandInput>;

export const outputText = z.strictObject({ text: z.string(), totalBytes: count, truncated: z.boolean() });

const startedCommand = {
  commandId: uuid,
  argv: z.array(z.string()).min(1),
  stdout: outputText,
  stderr: outputText,
  restored: restored.optional(),
};

/** Why a signal ended it, where a limit did: `out_of_memory` and the like, with the limit in words. */
const limitHit = { reason: z.string().optional(), message: z.string().optional() };

/** What is known of a command: `exited` and `timed_out` come from a wait status, never from the end of a stream. */
export const commandResult = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("exited"),
    ...startedCommand,
    ...limitHit,
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    durationMs: count,
  }),
  z.strictObject({
    status: z.literal("timed_out"),
    ...startedCommand,
    ...limitHit,
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    durationMs: count,
  }),
  z.strictObject({ status: z.literal("running"), ...startedCommand }),
  z.strictObject({
    status: z.literal("interrupted"),
    ...startedCommand,
    reason: z.string(),
    message: z.string(),
  }),
  z.strictObject({
    status: z.literal("rejected"),
    reason: z.string(),
    message: z.string(),
    allowed: z.array(z.string()),
    restored: restored.optional(),
  }),
]);
export type CommandResult = z.output<typeof commandResult>;

export const completeTaskInput = z.strictObject({
  runId: uuid,
  title: z.string().trim().min(1).max(200),
  summary: z.string().max(20_000),
  idempotencyKey: idempotencyKey.optional(),
});
export type CompleteTaskInput = z.output<typeof completeTaskInput>;

export const completeTaskResult = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("proposed"),
    changeSetId: uuid,
    seriesId: uuid,
    version: z.int().min(1),
    baseCommit: commit,
    headCommit: commit,
    filesChanged: count,
    insertions: count,
    deletions: count,
  }),
  z.strictObject({ status: z.literal("no_changes") }),
]);
export type CompleteTaskResult = z.output<typeof completeTaskResult>;

export const failTaskInput = z.strictObject({ runId: uuid, reason: z.string().trim().min(1).max(4_000) });
export type FailTaskInput = z.output<typeof failTaskInput>;

export const runState = z.enum([
  "opening",
  "open",
  "asleep",
  "completing",
  "proposed",
  "no_changes",
  "failed",
  "closed",
]);

export const failTaskResult = z.strictObject({
  runId: uuid,
  state: runState,
  /** How the Run ended: by this call, the same call before it, or another end that stands. */
  message: z.string(),
});
export type FailTaskResult = z.output<typeof failTaskResult>;

export const closeWorkspaceResult = z.strictObject({
  runId: uuid,
  state: runState,
  /** How the Run ended: by this call, the same call before it, or another end that stands. */
  message: z.string(),
  wallSeconds: count,
  chargedSeconds: count,
});
export type CloseWorkspaceResult = z.output<typeof closeWorkspaceResult>;

/** What `workspace.get` answers. */
export const workspaceResult = z.strictObject({
  runId: uuid,
  taskId: uuid,
  state: runState,
  sandboxId,
  sandboxState: z.enum(["starting", "live", "removing", "gone", "failed"]).nullable(),
  baseCommit: commit.nullable(),
  /** Over all its sessions; an open one counts up to now. */
  wallSeconds: count,
  /** Over all its sessions; an open one counts as if it ended now, its tail with it. */
  chargedSeconds: count,
  /** False while a session is open: the seconds are then an estimate that grows with time. */
  isSettled: z.boolean(),
  /** What the open session holds on the meter. */
  reservedSeconds: count,
  /** When it goes to sleep if nothing is called until then; null unless it is awake and no command runs in it. */
  idleDeadlineAt: time.nullable(),
});
export type WorkspaceResult = z.output<typeof workspaceResult>;

import type { Caller } from "../../access/types";
import { createKeyedTurns, type KeyedTurns } from "../../git/turns";
import type { Transaction } from "../../platform/db";
import { DomainError } from "../../platform/errors";
import type { JsonValue } from "../../platform/storable-text";
import type { FileEntry } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { WorkspaceMovedError, type AwakeRun, type Gate } from "../lifecycle/awake";
import { everyRun } from "../runs/store";
import type {
  DeleteFileInput,
  DeleteFileResult,
  EditFileInput,
  EditFileResult,
  ListFilesInput,
  ListFilesResult,
  ReadFileInput,
  ReadFileResult,
  WriteFileInput,
  WriteFileResult,
} from "../schema";
import { describeContent, hashBytes, readContent } from "./content";
import { applyEdit, fileBytesMax } from "./edit";
import { createIgnored } from "./ignored";
import { comparedBytesMax, describeChange } from "./mini-diff";
import { checkDeletePath, checkFilePath, checkWorkspacePath } from "./path";
import { createSubmodules } from "./submodules";
import type { WorkspacePath } from "./types";

/** The file tools. What they change is kept in the database, with its event, before they answer. */
export interface FileTools {
  listFiles(caller: Caller, input: ListFilesInput): Promise<ListFilesResult>;
  readFile(caller: Caller, input: ReadFileInput): Promise<ReadFileResult>;
  writeFile(caller: Caller, input: WriteFileInput): Promise<WriteFileResult>;
  editFile(caller: Caller, input: EditFileInput): Promise<EditFileResult>;
  deleteFile(caller: Caller, input: DeleteFileInput): Promise<DeleteFileResult>;
}

/** A directory of hidden files is passed over in pages of this many entries. */
const listPageMax = 1_000;

export function createFileTools(deps: WorkspaceDeps, gate: Gate): FileTools {
  const turns = createKeyedTurns();
  return {
    ...readingTools(deps, gate),
    ...writingTools(deps, gate, (act) => (awake) => changeFile(deps, turns, { awake, act })),
  };
}

function readingTools(deps: WorkspaceDeps, gate: Gate): Pick<FileTools, "listFiles" | "readFile"> {
  return {
    listFiles: async (caller, input) => {
      const path = checkWorkspacePath(input.path);
      return gate.within(caller, input.runId, async (awake) => {
        const items: ListFilesResult["items"] = [];
        const submodules = createSubmodules(deps, awake);
        const hidden = input.includeIgnored ? null : createIgnored(deps, awake);
        let after = input.cursor;
        for (;;) {
          const page = await deps.sandboxes.listFiles({
            ...targetOf(awake, path),
            depth: input.depth,
            limit: hidden === null ? input.limit + 1 - items.length : listPageMax,
            ...(after === undefined ? {} : { after }),
          });
          await submodules.learn(page.items);
          await hidden?.learn(page.items.filter(({ path: itemPath }) => !submodules.holds(itemPath)));
          for (const item of page.items) {
            if (hidden?.has(item.path) !== true) items.push(toItem(item, submodules.has(item.path)));
          }
          after = page.items.at(-1)?.path;
          if (!page.truncated || after === undefined || items.length > input.limit) break;
        }
        const shown = items.slice(0, input.limit);
        const nextCursor = items.length > input.limit ? (shown.at(-1)?.path ?? null) : null;
        return { items: shown, nextCursor, ...restoredOf(awake) };
      });
    },
    readFile: async (caller, input) => {
      const path = checkFilePath(input.path);
      return gate.within(caller, input.runId, async (awake) => {
        const file = await deps.sandboxes.readFile({ ...targetOf(awake, path), bytesMax: fileBytesMax });
        const { startLine, endLine, maxBytes: bytesMax } = input;
        return { path, ...describeContent(file, { startLine, endLine, bytesMax }), ...restoredOf(awake) };
      });
    },
  };
}

function toItem(
  { target, type, ...entry }: FileEntry,
  isSubmodule: boolean,
): ListFilesResult["items"][number] {
  const shown = { ...entry, type: type === "directory" && isSubmodule ? ("submodule" as const) : type };
  return target === null ? shown : { ...shown, target };
}

function writingTools(
  deps: WorkspaceDeps,
  gate: Gate,
  change: ChangeFile,
): Pick<FileTools, "writeFile" | "editFile" | "deleteFile"> {
  return {
    writeFile: async (caller, input) => {
      const path = checkFilePath(input.path);
      const bytes = readContent(input);
      return gate.within(
        caller,
        input.runId,
        change(async (awake, record) => {
          const before = await readBefore(deps, awake, path, input.expectedSha256);
          const mode = input.executable === undefined ? null : input.executable ? 0o755 : 0o644;
          const written = await deps.sandboxes.writeFile({ ...targetOf(awake, path), bytes, mode });
          const sha256 = hashBytes(bytes);
          await record.write("write_file", {
            path,
            before,
            bytes,
            sha256,
            mode: Number.parseInt(written.mode, 8),
          });
          return { path, sha256, sizeBytes: bytes.length, created: written.created, ...restoredOf(awake) };
        }),
      );
    },
    editFile: async (caller, input) => {
      const path = checkFilePath(input.path);
      return gate.within(
        caller,
        input.runId,
        change(async (awake, record) => {
          const before = await readWhole(deps, awake, path);
          if (input.expectedSha256 !== undefined) requireHash(path, hashBytes(before), input.expectedSha256);
          const { bytes, replacements } = applyEdit(before, input);
          const written = await deps.sandboxes.writeFile({ ...targetOf(awake, path), bytes, mode: null });
          const sha256 = hashBytes(bytes);
          await record.write("edit_file", {
            path,
            before,
            bytes,
            sha256,
            mode: Number.parseInt(written.mode, 8),
          });
          return { path, sha256, replacements, ...restoredOf(awake) };
        }),
      );
    },
    deleteFile: async (caller, input) => {
      const path = checkDeletePath(input.path);
      return gate.within(
        caller,
        input.runId,
        change(async (awake, record) => {
          const before = await readIfComparable(deps, awake, path);
          const target = { ...targetOf(awake, path), recursive: input.recursive };
          const { deletedCount } = await deps.sandboxes.deleteFile(target);
          await record.delete({ path, before, deletedCount });
          return { path, deletedCount, ...restoredOf(awake) };
        }),
      );
    },
  };
}

/** What a file held before it was changed: null when it was not there, undefined when it cannot be compared. */
type Before = Uint8Array | null | undefined;

interface WrittenFile {
  path: string;
  before: Before;
  bytes: Uint8Array;
  sha256: string;
  mode: number;
}

interface FileRecorder {
  write(tool: string, file: WrittenFile): Promise<void>;
  delete(file: { path: string; before: Before; deletedCount: number }): Promise<void>;
}

type ChangeFile = <Result>(
  act: (awake: AwakeRun, record: FileRecorder) => Promise<Result>,
) => (awake: AwakeRun) => Promise<Result>;

/**
 * Makes one change to a Run's files and keeps it, while every other change of that Run waits: so the order in the Sandbox
 * is the order in the database. A change that is not kept is not acknowledged, and none is kept that was made in a
 * Sandbox which the Run has left: whoever restores it has not seen that change.
 */
async function changeFile<Result>(
  deps: WorkspaceDeps,
  turns: KeyedTurns,
  { awake, act }: { awake: AwakeRun; act: (awake: AwakeRun, record: FileRecorder) => Promise<Result> },
): Promise<Result> {
  const { run } = awake;
  // In line here, so that those who wait hold no connection to the database; the lock holds other processes back.
  const giveBack = await turns.take(run.id);
  try {
    return await deps.transaction((tx) => changeInTurn(deps, tx, awake, act));
  } finally {
    giveBack();
  }
}

async function changeInTurn<Result>(
  deps: WorkspaceDeps,
  tx: Transaction,
  awake: AwakeRun,
  act: (awake: AwakeRun, record: FileRecorder) => Promise<Result>,
): Promise<Result> {
  const { run } = awake;
  const { runs, files } = deps.storesIn(tx);
  await files.lock(run.id);
  const now = await runs.find(run.id, everyRun);
  if (now?.state !== "open" || now.runtimeId !== run.runtimeId) throw new WorkspaceMovedError();
  const note = async (data: { [key: string]: JsonValue }): Promise<number> => {
    const isThere = await runs.move(
      run.id,
      ["open"],
      { stateDeadlineAt: null },
      { runtimeId: run.runtimeId },
    );
    if (!isThere) throw new WorkspaceMovedError();
    return runs.appendEvent(run.id, { kind: "tool", at: deps.clock.now(), data });
  };
  return act(awake, {
    write: async (tool, { before, ...file }) => {
      const { path, sha256, mode, bytes } = file;
      const seq = await note({
        tool,
        path,
        sha256,
        sizeBytes: bytes.length,
        mode: mode.toString(8).padStart(4, "0"),
        diff: before === undefined ? null : describeChange(before, bytes),
      });
      await files.recordWrite(run.id, { ...file, seq });
    },
    delete: async ({ path, before, deletedCount }) => {
      const diff = before === undefined ? null : describeChange(before, null);
      const seq = await note({ tool: "delete_file", path, deletedCount, diff });
      await files.recordDelete(run.id, { path, seq });
    },
  });
}

async function readWhole(deps: WorkspaceDeps, awake: AwakeRun, path: WorkspacePath): Promise<Uint8Array> {
  const file = await deps.sandboxes.readFile({ ...targetOf(awake, path), bytesMax: fileBytesMax });
  if (file.truncated) {
    throw new DomainError(
      "file.too_large",
      `${path} has ${file.sizeBytes} bytes; a file of more than 10 MiB cannot be edited.`,
      {
        path,
        sizeBytes: file.sizeBytes,
      },
    );
  }
  return file.bytes;
}

/** What a write replaces. Who says what it must be gets it compared whole; else a file too large to show is left unread. */
async function readBefore(
  deps: WorkspaceDeps,
  awake: AwakeRun,
  path: WorkspacePath,
  expectedSha256: string | undefined,
): Promise<Before> {
  if (expectedSha256 === undefined) return readIfComparable(deps, awake, path);
  const before = await readWhole(deps, awake, path);
  requireHash(path, hashBytes(before), expectedSha256);
  return before;
}

/** What stands in the way of reading, as a directory does, is for the change itself to judge. */
async function readIfComparable(deps: WorkspaceDeps, awake: AwakeRun, path: WorkspacePath): Promise<Before> {
  try {
    const target = { ...targetOf(awake, path), bytesMax: comparedBytesMax };
    const { bytes, truncated } = await deps.sandboxes.readFile(target);
    return truncated ? undefined : bytes;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "file.not_found") return null;
    if (/^(file|path)\./.test(error.code)) return undefined;
    throw error;
  }
}

function requireHash(path: string, found: string, expected: string): void {
  if (found === expected) return;
  throw new DomainError("conflict.stale", `${path} is not what it was when you read it. Read it again.`, {
    path,
    sha256: found,
  });
}

function targetOf(
  { place }: AwakeRun,
  path: WorkspacePath,
): { sandboxId: AwakeRun["place"]["sandboxId"]; uid: AwakeRun["place"]["uid"]; root: string; path: string } {
  return { sandboxId: place.sandboxId, uid: place.uid, root: place.directory, path };
}

function restoredOf({ restored }: AwakeRun): { restored?: NonNullable<AwakeRun["restored"]> } {
  return restored === undefined ? {} : { restored };
}

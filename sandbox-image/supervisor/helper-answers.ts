import { DomainError, isDomainCode, type DomainCode } from "../../server/platform/errors";
import type { SupervisorCalls } from "../../server/sandboxd/supervisor-protocol";
import type { FileEntry, FileType } from "../../server/sandboxd/types";

export type FileMethod = "readFile" | "writeFile" | "listFiles" | "deleteFile";

const codes: readonly DomainCode[] = [
  "input.invalid",
  "path.outside_workspace",
  "path.reserved",
  "file.not_found",
  "file.not_regular",
  "limit.size",
];
const messageLengthMax = 200;
const itemsMax = 5_000;
const types: readonly string[] = ["file", "directory", "symlink", "other"] satisfies FileType[];

/**
 * Builds the answer of a file call anew from what a helper said. A helper has the Run's uid, so what it says is the
 * Run's word: only the expected fields, of the expected kind, go on. Throws for anything else.
 */
export function parseHelperAnswer<Method extends FileMethod>(
  method: Method,
  value: unknown,
): SupervisorCalls[Method]["value"] {
  const parsers: { [Name in FileMethod]: (value: unknown) => SupervisorCalls[Name]["value"] } = {
    readFile: (read) => ({
      sizeBytes: count(read, "sizeBytes"),
      mode: mode(read),
      truncated: flag(read, "truncated"),
    }),
    writeFile: (written) => ({ created: flag(written, "created"), mode: mode(written) }),
    listFiles: (page) => ({ items: items(page), truncated: flag(page, "truncated") }),
    deleteFile: (deleted) => ({ deletedCount: count(deleted, "deletedCount") }),
  };
  return parsers[method](value);
}

/** Reads a helper's failure; one that no helper of ours sends becomes `internal`. */
export function parseHelperFailure(value: unknown): DomainError {
  const code = field(value, "code");
  const message = field(value, "message");
  if (isDomainCode(code) && codes.includes(code) && typeof message === "string") {
    return new DomainError(code, message.slice(0, messageLengthMax));
  }
  return new DomainError("internal", "The file call failed.");
}

function items(page: unknown): FileEntry[] {
  const found = field(page, "items");
  if (!Array.isArray(found) || found.length > itemsMax) throw new Error("a helper sent a page that is none");
  return found.map((item: unknown) => {
    const path = field(item, "path");
    const type = field(item, "type");
    const target = field(item, "target");
    if (typeof path !== "string" || typeof type !== "string" || !types.includes(type))
      throw unexpected("items");
    if (target !== null && typeof target !== "string") throw unexpected("target");
    return { path, type: type as FileType, sizeBytes: count(item, "sizeBytes"), mode: mode(item), target };
  });
}

function count(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found !== "number" || !Number.isSafeInteger(found) || found < 0) throw unexpected(name);
  return found;
}

function flag(value: unknown, name: string): boolean {
  const found = field(value, name);
  if (typeof found !== "boolean") throw unexpected(name);
  return found;
}

function mode(value: unknown): string {
  const found = field(value, "mode");
  if (typeof found !== "string" || !/^[0-7]{4}$/.test(found)) throw unexpected("mode");
  return found;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function unexpected(name: string): Error {
  return new Error(`a helper sent an unexpected ${name}`);
}

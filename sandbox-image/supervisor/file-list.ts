import { readlinkSync, type BigIntStats } from "node:fs";
import type { FileEntry, FileType } from "../../server/sandboxd/types";
import { parseDirectoryRecords } from "./directory-records";
import { modeText } from "./file-content";
import { createStepKeeper, toShownBytes, toText, type ListStep } from "./list-order";
import { isReservedName, parsePath } from "./path-rules";
import { lstatEntry, openDirectory, withDirectory, type SafeDirectory } from "./safe-directory";

/** Fills `target` with directory records; 0 at the end. */
export type ReadRecords = (fd: number, target: Uint8Array) => number;

const recordBytesMax = 64 * 1024;
/** A page stays small enough for one answer, however long its names are. */
const pageBytesMax = 1024 * 1024;
/** Directories on the way to the cursor take a step without giving an entry. */
const spareSteps = 300;

interface Page {
  items: FileEntry[];
  pageBytes: number;
  limit: number;
  after: string;
  readRecords: ReadRecords;
}

/**
 * One page of what lies below a directory, ordered by path, at most `depth` levels down. Links are listed, never entered;
 * a `.git` is not listed, since no file tool may touch it. A path that names no directory lists that one entry. Memory
 * is bounded by `limit`, not by the size of a directory. What vanishes meanwhile is left out.
 */
export function listEntries(
  input: { root: string; path: string; depth: number; limit: number; after: string | null },
  readRecords: ReadRecords,
): { items: FileEntry[]; truncated: boolean } {
  const components = parsePath(input.path);
  const after = Buffer.from(input.after ?? "").toString("latin1");
  const page: Page = { items: [], pageBytes: 0, limit: input.limit, after, readRecords };
  const prefix = components.map((component) => `${toShownBytes(Buffer.from(component))}/`).join("");
  const name = components.pop();
  const truncated = withDirectory(input.root, components, (parent) => {
    if (name === undefined) return listDirectory(parent, prefix, input.depth, page);
    const stats = lstatEntry(parent.entry(name));
    if (!stats.isDirectory()) {
      const key = prefix.slice(0, -1);
      return key > after && !addEntry(page, parent, { key, name: Buffer.from(name), isBelow: false });
    }
    return within(openDirectory(parent.entry(name)), (found) =>
      listDirectory(found, prefix, input.depth, page),
    );
  });
  return { items: page.items, truncated };
}

/** True when the page was full before the end. */
function listDirectory(directory: SafeDirectory, prefix: string, depth: number, page: Page): boolean {
  const stepsMax = 2 * (page.limit - page.items.length + 1) + spareSteps;
  const keeper = createStepKeeper({ prefix, after: page.after, canDescend: depth > 1, stepsMax });
  const buffer = new Uint8Array(recordBytesMax);
  for (;;) {
    const byteCount = page.readRecords(directory.fd, buffer);
    if (byteCount === 0) break;
    for (const record of parseDirectoryRecords(buffer.subarray(0, byteCount))) {
      if (!isReservedName(record.name.toString("utf8"))) keeper.add(record);
    }
  }
  for (const step of keeper.steps()) {
    const isFull = step.isBelow
      ? listBelow(directory, step, depth, page)
      : !unlessGone(() => addEntry(page, directory, step), true);
    if (isFull) return true;
  }
  return false;
}

function listBelow(parent: SafeDirectory, step: ListStep, depth: number, page: Page): boolean {
  const found = unlessGone<SafeDirectory | null>(() => {
    const path = parent.entry(step.name);
    return lstatEntry(path).isDirectory() ? openDirectory(path) : null;
  }, null);
  if (found === null) return false;
  return within(found, (directory) => listDirectory(directory, step.key, depth - 1, page));
}

/** False when the page has no room for it. */
function addEntry(page: Page, directory: SafeDirectory, step: ListStep): boolean {
  const path = directory.entry(step.name);
  const stats = lstatEntry(path);
  const target = stats.isSymbolicLink() ? readlinkSync(path, "buffer").toString("utf8") : null;
  const entryBytes = step.key.length + (target?.length ?? 0) + 100;
  if (page.items.length >= page.limit || page.pageBytes + entryBytes > pageBytesMax) return false;
  page.pageBytes += entryBytes;
  page.items.push({
    path: toText(step.key),
    type: typeOf(stats),
    sizeBytes: Number(stats.size),
    mode: modeText(stats.mode),
    target,
  });
  return true;
}

function typeOf(stats: BigIntStats): FileType {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

function within<Result>(directory: SafeDirectory, act: (directory: SafeDirectory) => Result): Result {
  try {
    return act(directory);
  } finally {
    directory.close();
  }
}

/** Runs `look`; when the entry vanished, changed its kind or may not be looked at, gives `otherwise`. */
function unlessGone<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

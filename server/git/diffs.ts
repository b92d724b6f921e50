import { isUtf8 } from "node:buffer";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { traitsOf, type BlobTraits } from "./blob-traits";
import { createBlobs, type Blobs } from "./blobs";
import { parseNumstat, parseRaw, type LineCount, type RawEntry } from "./diff-raw";
import { blobsOf, isComparedAsText, modes, toRow } from "./diff-rows";
import { findGeneratedPaths } from "./generated-paths";
import { GitFailure, type Git } from "./git-command";
import { writeOnePathTree } from "./one-path-tree";
import { fromPathHandle } from "./path-handle";
import type { Places } from "./places";
import type { Repositories } from "./repositories";
import type { ControlInput } from "./schema";
import type { DiffFile, DiffPatch, DiffRange, DiffStats, WhitespaceMode } from "./types";

/** Compares two commits of a Project. */
export interface Diffs {
  files(input: ControlInput<"diffFiles">): Promise<DiffFile[]>;
  patch(input: ControlInput<"diffPatch">): Promise<DiffPatch>;
  stats(input: ControlInput<"diffStats">): Promise<DiffStats>;
}

interface Deps {
  git: Git;
  places: Places;
  repositories: Repositories;
  ids: Ids;
}

const patchBytesMax = 10 * 1024 * 1024;
const scannedBlobBytesMax = 2 * 1024 * 1024;
const scannedBytesMax = 64 * 1024 * 1024;
const rangesKept = 16;
const diffMs = 100_000;

/**
 * No attribute is in force: the repository is bare and has none, and a newer git is told to look at an empty tree. So nothing
 * that either side holds decides how it is compared, and no program of a repository's author runs.
 */
const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "-M", "-l1000", "--no-rename-empty"];

const whitespaceOptions: Record<WhitespaceMode, readonly string[]> = {
  none: [],
  trailing: ["--ignore-space-at-eol"],
  all: ["--ignore-all-space"],
};

export function createDiffs(deps: Deps): Diffs {
  const blobs = createBlobs(deps.git);
  const entriesOf = rememberLast(rangesKept, (range) => readEntries(deps, range));
  const files = async (input: ControlInput<"diffFiles">): Promise<DiffFile[]> => {
    const entries = await entriesOf(input);
    const { kept } = deps.places.project(input.projectId);
    const { sizes, traits } = await scan(blobs, kept, entries);
    const [counts, generated] = await Promise.all([
      countLines(deps, input, entries, traits),
      findGeneratedPaths(deps, {
        gitDirectory: kept,
        base: input.base,
        paths: entries.map(({ newPath }) => newPath),
      }),
    ]);
    return entries.map((entry) => toRow(entry, { sizes, traits, counts, generated }));
  };
  return {
    files,
    patch: async (input) => {
      const path = fromPathHandle(input.path);
      const entry = (await entriesOf(input)).find(({ newPath }) => newPath.equals(path));
      if (entry === undefined) return { patch: "", encoding: "utf8", truncated: false };
      const { traits } = await scan(blobs, deps.places.project(input.projectId).kept, [entry]);
      return readPatch(deps, input, entry, isComparedAsText(entry, traits));
    },
    stats: async (input) => {
      const rows = await files({ ...input, whitespace: "none" });
      const sum = (side: "insertions" | "deletions"): number =>
        rows.reduce((total, row) => total + (row[side] ?? 0), 0);
      return { filesChanged: rows.length, insertions: sum("insertions"), deletions: sum("deletions") };
    },
  };
}

async function readEntries(deps: Deps, range: DiffRange): Promise<RawEntry[]> {
  await deps.repositories.require(range.projectId);
  return parseRaw(await compare(deps, range, ["--raw", "--no-abbrev"]));
}

async function countLines(
  deps: Deps,
  range: DiffRange & { whitespace: WhitespaceMode },
  entries: readonly RawEntry[],
  traits: ReadonlyMap<string, BlobTraits>,
): Promise<Map<string, LineCount>> {
  const options = ["--numstat", ...whitespaceOptions[range.whitespace]];
  const counts = parseNumstat(await compare(deps, range, options));
  const forced = entries.filter((entry) => isComparedAsText(entry, traits));
  if (forced.length === 0) return counts;
  const asText = await countAsText(deps, range, options);
  for (const { newPath } of forced) {
    const key = newPath.toString("latin1");
    const count = asText.get(key);
    if (count !== undefined) counts.set(key, count);
  }
  return counts;
}

/** `--text` does not reach git's counts; an attribute of ours for every path does. */
async function countAsText(
  deps: Deps,
  range: DiffRange,
  options: readonly string[],
): Promise<Map<string, LineCount>> {
  const attributes = join(deps.places.scratch, deps.ids.uuid());
  await writeFile(attributes, "* diff\n");
  try {
    return parseNumstat(await compare(deps, range, options, { "core.attributesFile": attributes }));
  } finally {
    await rm(attributes, { force: true });
  }
}

async function compare(
  deps: Deps,
  range: DiffRange,
  options: readonly string[],
  config: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const { kept } = deps.places.project(range.projectId);
  const args = ["diff-tree", "-r", "-z", ...plain, ...options, "--end-of-options", range.base, range.head];
  const { exitCode, stdout, stderr, isTruncated } = await deps.git.run(
    { args, gitDirectory: kept, config },
    { timeoutMs: diffMs },
  );
  if (isTruncated) throw new DomainError("limit.size", "This diff names too many files.");
  if (exitCode === 0) return stdout;
  if (/bad object|unable to read tree|not a tree object/i.test(stderr))
    throw new DomainError("commit.not_found", "The Project does not hold both commits.");
  throw new GitFailure("diff-tree", exitCode, stderr);
}

/** Looks at each blob that is small enough, until the sum is too large; the others stay unscanned. */
async function scan(
  blobs: Blobs,
  gitDirectory: string,
  entries: readonly RawEntry[],
): Promise<{ sizes: Map<string, number>; traits: Map<string, BlobTraits> }> {
  const sizes = await blobs.sizes(gitDirectory, [...new Set(entries.flatMap(blobsOf))]);
  let bytes = 0;
  const scanned = [...sizes].flatMap(([id, size]) => {
    if (size > scannedBlobBytesMax || bytes + size > scannedBytesMax) return [];
    bytes += size;
    return [id];
  });
  const contents = await blobs.contents(gitDirectory, scanned);
  return { sizes, traits: new Map([...contents].map(([id, content]) => [id, traitsOf(content)])) };
}

async function readPatch(
  deps: Deps,
  input: ControlInput<"diffPatch">,
  entry: RawEntry,
  isTextForced: boolean,
): Promise<DiffPatch> {
  const { kept } = deps.places.project(input.projectId);
  const scratch = join(deps.places.scratch, deps.ids.uuid());
  await mkdir(scratch, { recursive: true });
  try {
    const leafOf = (path: Buffer, mode: string, objectId: string): Parameters<typeof writeOnePathTree>[1] =>
      mode === modes.none ? null : { path, mode, objectId };
    const old = await writeOnePathTree(scratch, leafOf(entry.oldPath, entry.oldMode, entry.oldId));
    const now = await writeOnePathTree(scratch, leafOf(entry.newPath, entry.newMode, entry.newId));
    const { exitCode, stdout, stderr, isTruncated } = await deps.git.run(
      {
        args: [
          "diff",
          ...plain,
          `--unified=${input.context}`,
          ...whitespaceOptions[input.whitespace],
          ...(isTextForced ? ["--text"] : []),
          "--end-of-options",
          old,
          now,
        ],
        gitDirectory: kept,
        env: { GIT_OBJECT_DIRECTORY: scratch, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(kept, "objects") },
      },
      { stdoutBytesMax: patchBytesMax, timeoutMs: diffMs },
    );
    if (exitCode !== 0 && !isTruncated) throw new GitFailure("diff", exitCode, stderr);
    return toPatch(isTruncated ? stdout.subarray(0, stdout.lastIndexOf(0x0a) + 1) : stdout, isTruncated);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function toPatch(bytes: Buffer, truncated: boolean): DiffPatch {
  return isUtf8(bytes)
    ? { patch: bytes.toString("utf8"), encoding: "utf8", truncated }
    : { patch: bytes.toString("base64"), encoding: "base64", truncated };
}

/** Commits do not change, so what was read of two of them stays true; a failure is not kept. */
function rememberLast<Value>(
  keptMax: number,
  read: (range: DiffRange) => Promise<Value>,
): (range: DiffRange) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return ({ projectId, base, head }) => {
    const key = `${projectId} ${base} ${head}`;
    const found = known.get(key) ?? read({ projectId, base, head });
    known.delete(key);
    known.set(key, found);
    found.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > keptMax && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

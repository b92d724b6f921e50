import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { traitsOf, type BlobTraits } from "./blob-traits";
import { createBlobs, type Blobs } from "./blobs";
import { diffMs, plain, whitespaceOptions } from "./diff-options";
import { parseNumstat, parseRaw, type LineCount, type RawEntry } from "./diff-raw";
import { blobsOf, isComparedAsText, toRow } from "./diff-rows";
import { findGeneratedPaths } from "./generated-paths";
import { GitFailure, type Git } from "./git-command";
import { createPatches } from "./patches";
import { fromPathHandle } from "./path-handle";
import type { Places } from "./places";
import type { Repositories } from "./repositories";
import type { ControlInput } from "./schema";
import type { DiffFile, DiffPatch, DiffRange, DiffStats, PathPatch } from "./types";

/** Compares two commits of a Project. */
export interface Diffs {
  files(input: ControlInput<"diffFiles">): Promise<DiffFile[]>;
  patch(input: ControlInput<"diffPatch">): Promise<DiffPatch>;
  patches(input: ControlInput<"diffPatches">): Promise<PathPatch[]>;
  stats(input: ControlInput<"diffStats">): Promise<DiffStats>;
  /** Errors: `file.not_found`. */
  entry(range: DiffRange, path: string): Promise<RawEntry>;
}

interface Deps {
  git: Git;
  places: Places;
  repositories: Repositories;
  ids: Ids;
}

const scannedBlobBytesMax = 2 * 1024 * 1024;
const scannedBytesMax = 64 * 1024 * 1024;
const rangesKept = 16;
const rowsKept = 8;

export function createDiffs(deps: Deps): Diffs {
  const blobs = createBlobs(deps.git);
  const entriesOf = rememberLast(rangesKept, rangeKey, (range: DiffRange) => readEntries(deps, range));
  // Commits do not change, so their rows do not either; a page asks for the same ones with every mark that is set.
  const rowKey = (input: ControlInput<"diffFiles">): string => `${rangeKey(input)} ${input.whitespace}`;
  const files = rememberLast(
    rowsKept,
    rowKey,
    async (input: ControlInput<"diffFiles">): Promise<DiffFile[]> => {
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
    },
  );
  const patches = createPatches(deps);
  const patchesOf = async (input: PatchInput, paths: readonly string[]): Promise<PathPatch[]> => {
    const entries = await entriesOf(input);
    const known = new Map(entries.map((entry) => [entry.newPath.toString("latin1"), entry]));
    const asked = paths.map((path) => {
      const entry = known.get(fromPathHandle(path).toString("latin1"));
      if (entry === undefined) throw noSuchFile(path);
      return { path, entry };
    });
    const { kept } = deps.places.project(input.projectId);
    const { traits } = await scan(
      blobs,
      kept,
      asked.map(({ entry }) => entry),
    );
    return patches.read(
      input,
      asked.map(({ path, entry }) => ({ path, entry, isTextForced: isComparedAsText(entry, traits) })),
    );
  };
  return {
    files,
    patch: async ({ path, ...input }) => {
      const [only] = await patchesOf(input, [path]);
      if (only === undefined) throw noSuchFile(path);
      const { patch, encoding, truncated } = only;
      return { patch, encoding, truncated };
    },
    patches: ({ paths, ...input }) => patchesOf(input, paths),
    entry: async (range, path) => {
      const asked = fromPathHandle(path);
      const found = (await entriesOf(range)).find(({ newPath }) => newPath.equals(asked));
      if (found === undefined) throw noSuchFile(path);
      return found;
    },
    stats: async (input) => {
      const rows = await files({ ...input, whitespace: "none" });
      const sum = (side: "insertions" | "deletions"): number =>
        rows.reduce((total, row) => total + (row[side] ?? 0), 0);
      return { filesChanged: rows.length, insertions: sum("insertions"), deletions: sum("deletions") };
    },
  };
}

type PatchInput = Omit<ControlInput<"diffPatch">, "path">;

/** What is asked of a file that does not differ. */
export function noSuchFile(path: string): DomainError {
  return new DomainError("file.not_found", "This file does not differ between the two.", { path });
}

async function readEntries(deps: Deps, range: DiffRange): Promise<RawEntry[]> {
  await deps.repositories.require(range.projectId);
  return parseRaw(await compare(deps, range, ["--raw", "--no-abbrev"]));
}

async function countLines(
  deps: Deps,
  range: DiffRange & { whitespace: ControlInput<"diffFiles">["whitespace"] },
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

/** Commits do not change, so what was read of two of them stays true; a failure is not kept. */
function rememberLast<Input, Value>(
  keptMax: number,
  keyOf: (input: Input) => string,
  read: (input: Input) => Promise<Value>,
): (input: Input) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return (input) => {
    const key = keyOf(input);
    const found = known.get(key) ?? read(input);
    known.delete(key);
    known.set(key, found);
    found.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > keptMax && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

function rangeKey({ projectId, base, head }: DiffRange): string {
  return `${projectId} ${base} ${head}`;
}

import type { DiffFile, DiffRange, GitService } from "../../git/types";
import { DomainError } from "../../platform/errors";
import { addedLinesOf } from "./added-lines";
import { findingsOfLines } from "./line-rules";
import { findingsOfManifest } from "./package-rules";
import { findingsOfFile, isLockFile, isTestPath } from "./path-rules";
import { findingOfSymlink } from "./symlink-rules";
import { highlightReasons, type Finding, type Highlight, type Highlights } from "./types";

/** How much is looked into: the rest of a large ChangeSet is judged by its names, modes and flags alone. */
export interface SurveyLimits {
  filesMax: number;
  insertionsMax: number;
  manifestsMax: number;
  itemsMax: number;
}

export const surveyLimits: SurveyLimits = {
  filesMax: 500,
  insertionsMax: 100_000,
  manifestsMax: 20,
  itemsMax: 500,
};

/** As many as git gives in one call. */
const batchMax = 50;
const manifestBytesMax = 1024 * 1024;

type Git = Pick<GitService, "diffFiles" | "diffPatches" | "readSide">;

/**
 * Finds what a reviewer should look at first, by rules of ours over git's rows and the proposed side; nothing that the
 * proposed side says of itself is believed. The work is bounded, and `truncated` says when the bound was met.
 */
export async function survey(git: Git, range: DiffRange, limits: SurveyLimits): Promise<Highlights> {
  const files = await git.diffFiles(range);
  const { chosen, isAll } = choose(files, limits);
  const patches = await readPatches(git, range, chosen);
  const manifests = files.filter(isChangedManifest);
  const ofManifests = await readManifests(git, range, manifests.slice(0, limits.manifestsMax));
  const items = files.flatMap((file) => {
    const found = [
      ...findingsOfFile(file),
      ...findingsInside(file, patches),
      ...(ofManifests.get(file.path) ?? []),
    ];
    return onePerReason(found).map((one) => toHighlight(file, one));
  });
  const inOrder = items.sort((one, other) => weightOf(one) - weightOf(other));
  return {
    items: inOrder.slice(0, limits.itemsMax),
    truncated:
      !isAll ||
      chosen.some(({ path }) => !patches.has(path)) ||
      manifests.length > limits.manifestsMax ||
      items.length > limits.itemsMax,
  };
}

/** Small ones first, so that one huge file cannot keep the rules from all others. */
function choose(
  files: readonly DiffFile[],
  { filesMax, insertionsMax }: SurveyLimits,
): { chosen: DiffFile[]; isAll: boolean } {
  const readable = files
    .filter(({ kind, insertions }) => (kind === "text" || kind === "symlink") && (insertions ?? 0) > 0)
    .sort((one, other) => (one.insertions ?? 0) - (other.insertions ?? 0));
  let insertions = 0;
  const chosen = readable.slice(0, filesMax).filter((file) => {
    insertions += file.insertions ?? 0;
    return insertions <= insertionsMax;
  });
  return { chosen, isAll: chosen.length === readable.length };
}

/** The patches by path, as text; one that was cut off is left out. */
async function readPatches(
  git: Git,
  range: DiffRange,
  files: readonly DiffFile[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (let start = 0; start < files.length; start += batchMax) {
    const paths = files.slice(start, start + batchMax).map(({ path }) => path);
    for (const { path, patch, encoding, truncated } of await git.diffPatches({
      ...range,
      paths,
      context: 0,
    })) {
      if (truncated) continue;
      texts.set(path, encoding === "utf8" ? patch : Buffer.from(patch, "base64").toString("latin1"));
    }
  }
  return texts;
}

function findingsInside(file: DiffFile, patches: ReadonlyMap<string, string>): Finding[] {
  const patch = patches.get(file.path);
  if (patch === undefined) return file.kind === "symlink" && file.new !== null ? [unreadSymlink] : [];
  const lines = addedLinesOf(patch);
  if (file.kind === "symlink" && file.new?.mode === "120000") {
    const target = lines.map(({ text }) => text).join("\n");
    return [findingOfSymlink(file.displayPath, target, file.old?.mode !== "120000")];
  }
  const isMachineMade = isLockFile(file.displayPath) || file.flags.includes("generated");
  return findingsOfLines(lines, { isTest: isTestPath(file.displayPath), isMachineMade });
}

const unreadSymlink: Finding = { reason: "symlink", line: null, detail: "A symbolic link." };

function isChangedManifest({ displayPath, kind, new: now }: DiffFile): boolean {
  return (
    /(?:^|\/)package\.json$/.test(displayPath) &&
    kind === "text" &&
    now?.sizeBytes !== null &&
    now?.sizeBytes !== undefined &&
    now.sizeBytes <= manifestBytesMax
  );
}

async function readManifests(
  git: Git,
  range: DiffRange,
  files: readonly DiffFile[],
): Promise<Map<string, Finding[]>> {
  const found = new Map<string, Finding[]>();
  for (const { path } of files) {
    const now = await readSide(git, range, path, "new");
    if (now !== null) found.set(path, findingsOfManifest(await readSide(git, range, path, "old"), now));
  }
  return found;
}

async function readSide(
  git: Git,
  range: DiffRange,
  path: string,
  side: "old" | "new",
): Promise<string | null> {
  try {
    const { base64, truncated } = await git.readSide({ ...range, path, side, bytesMax: manifestBytesMax });
    return truncated ? null : Buffer.from(base64, "base64").toString("utf8");
  } catch (error) {
    if (error instanceof DomainError && error.code === "file.not_found") return null;
    throw error;
  }
}

/** What a line shows says more than what the file's flags say. */
function onePerReason(found: readonly Finding[]): Finding[] {
  return found.filter(
    (one) => one.line !== null || !found.some(({ reason, line }) => reason === one.reason && line !== null),
  );
}

function toHighlight({ path, displayPath }: DiffFile, { reason, line, detail }: Finding): Highlight {
  return { reason, path, displayPath, line, detail };
}

function weightOf({ reason }: Highlight): number {
  return highlightReasons.indexOf(reason);
}

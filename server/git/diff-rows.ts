import type { BlobTraits } from "./blob-traits";
import type { LineCount, RawEntry } from "./diff-raw";
import { toDisplayPath, toPathHandle } from "./path-handle";
import type { DiffFile, DiffFlag, DiffKind, DiffSide, DiffStatus } from "./types";

/** What is known of the files of a diff besides git's raw entries. */
export interface DiffKnowledge {
  sizes: ReadonlyMap<string, number>;
  /** By blob; what is not in it was not looked at. */
  traits: ReadonlyMap<string, BlobTraits>;
  /** By the new path's bytes as latin1; text forced where `isComparedAsText` says so. */
  counts: ReadonlyMap<string, LineCount>;
  /** Paths, as latin1, that the base's attributes call generated. */
  generated: ReadonlySet<string>;
}

const statuses: Record<RawEntry["status"], DiffStatus> = {
  A: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type_changed",
};

export const modes = {
  none: "000000",
  executable: "100755",
  symlink: "120000",
  submodule: "160000",
} as const;

/** True where git would say binary, but both sides read as text: a U+0000 must not hide a change of code. */
export function isComparedAsText(entry: RawEntry, traits: ReadonlyMap<string, BlobTraits>): boolean {
  const sides = blobsOf(entry).map((id) => traits.get(id));
  return (
    sides.some((side) => side?.hasEarlyNul === true) &&
    sides.every((side) => side !== undefined && side.isText)
  );
}

/** The blobs of an entry, without submodules and the side that is not there. */
export function blobsOf(entry: RawEntry): string[] {
  const sides = [
    { mode: entry.oldMode, id: entry.oldId },
    { mode: entry.newMode, id: entry.newId },
  ];
  return sides.flatMap(({ mode, id }) => (mode === modes.none || mode === modes.submodule ? [] : [id]));
}

/** The row of one file. */
export function toRow(entry: RawEntry, known: DiffKnowledge): DiffFile {
  const key = entry.newPath.toString("latin1");
  const count = known.counts.get(key) ?? { insertions: 0, deletions: 0 };
  return {
    status: statuses[entry.status],
    path: toPathHandle(entry.newPath),
    displayPath: toDisplayPath(entry.newPath),
    oldPath: toPathHandle(entry.oldPath),
    oldDisplayPath: toDisplayPath(entry.oldPath),
    old: sideOf(entry.oldMode, entry.oldId, known),
    new: sideOf(entry.newMode, entry.newId, known),
    similarity: entry.similarity,
    kind: kindOf(entry, count),
    ...count,
    flags: flagsOf(entry, known),
  };
}

function sideOf(mode: string, objectId: string, known: DiffKnowledge): DiffSide | null {
  if (mode === modes.none) return null;
  if (mode === modes.submodule) return { mode, objectId, sizeBytes: null, encoding: null, lfs: null };
  const traits = known.traits.get(objectId);
  return {
    mode,
    objectId,
    sizeBytes: known.sizes.get(objectId) ?? null,
    encoding: traits?.encoding ?? null,
    lfs: traits?.lfs ?? null,
  };
}

function kindOf(entry: RawEntry, count: LineCount): DiffKind {
  const mode = entry.newMode === modes.none ? entry.oldMode : entry.newMode;
  if (mode === modes.submodule) return "submodule";
  if (mode === modes.symlink) return "symlink";
  return count.insertions === null ? "binary" : "text";
}

function flagsOf(entry: RawEntry, known: DiffKnowledge): DiffFlag[] {
  const hasOld = entry.oldMode !== modes.none;
  const hasNew = entry.newMode !== modes.none;
  const old = hasOld ? known.traits.get(entry.oldId) : undefined;
  const now = hasNew ? known.traits.get(entry.newId) : undefined;
  const last = hasNew ? now : old;
  const lastId = hasNew ? entry.newId : entry.oldId;
  const lastMode = hasNew ? entry.newMode : entry.oldMode;
  const isFile = lastMode.startsWith("100");
  const isText = last !== undefined && last.encoding !== null;
  const isLines = known.counts.get(entry.newPath.toString("latin1"))?.insertions !== null;
  const tests: Record<DiffFlag, boolean> = {
    mode_changed: hasOld && hasNew && entry.oldMode !== entry.newMode,
    became_executable: entry.newMode === modes.executable && entry.oldMode !== modes.executable,
    bom_changed: isBothText(old, now) && old?.hasBom !== now?.hasBom,
    line_endings_changed:
      isBothText(old, now) &&
      old?.lineEndings !== now?.lineEndings &&
      old?.lineEndings !== "none" &&
      now?.lineEndings !== "none",
    no_final_newline: isFile && isText && !last.endsInLineFeed,
    lfs_pointer: (old?.lfs ?? now?.lfs ?? null) !== null,
    empty: isFile && known.sizes.get(lastId) === 0,
    generated: known.generated.has(entry.newPath.toString("latin1")),
    invisible_or_bidi: (isText || isLines) && now?.hasInvisibleOrBidi === true,
    conflict_markers: isFile && (isText || isLines) && now?.hasConflictMarkers === true,
    nul_in_text: isComparedAsText(entry, known.traits),
    not_scanned: blobsOf(entry).some((id) => !known.traits.has(id)),
  };
  return (Object.keys(tests) as DiffFlag[]).filter((flag) => tests[flag]);
}

function isBothText(old: BlobTraits | undefined, now: BlobTraits | undefined): boolean {
  return old !== undefined && now !== undefined && old.encoding !== null && now.encoding !== null;
}

import type { CodeViewDiffItem, DiffLineAnnotation } from "@pierre/diffs";
import { isInHunks } from "./line-rows";
import { emptyDiff, type ParsedBody } from "./parsed-body";
import type { BodyState } from "./patch-store";
import type { DiffFile, Note } from "./places";

/** What stands between lines: what takes the place of lines that are not there, or something of a reviewer. */
export type SlotContent = { kind: "body" } | { kind: "note"; note: Note; isOutOfView: boolean };

export type DiffItem = CodeViewDiffItem<SlotContent>;

interface ItemInput {
  file: DiffFile;
  state: BodyState<ParsedBody>;
  isFolded: boolean;
  /** Its lines stay away although they came: only line ends differ and nobody asked to see them. */
  hidesLines: boolean;
  notes: readonly Note[] | undefined;
}

/** Makes the library's item of a file, and keeps it as long as nothing about the file changes. */
export interface ItemCache {
  item: (input: ItemInput) => DiffItem;
}

export function createItemCache(): ItemCache {
  const known = new Map<string, { input: ItemInput; item: DiffItem; version: number }>();
  return {
    item: (input) => {
      const before = known.get(input.file.path);
      if (before !== undefined && isSame(before.input, input)) return before.item;
      const version = (before?.version ?? 0) + 1;
      const item = toItem(input, version);
      known.set(input.file.path, { input, item, version });
      return item;
    },
  };
}

function isSame(a: ItemInput, b: ItemInput): boolean {
  return (
    a.file === b.file &&
    a.state === b.state &&
    a.isFolded === b.isFolded &&
    a.hidesLines === b.hidesLines &&
    a.notes === b.notes
  );
}

function toItem({ file, state, isFolded, hidesLines, notes = [] }: ItemInput, version: number): DiffItem {
  const shared = { id: file.path, type: "diff", version, collapsed: isFolded } as const;
  const fileDiff = state.status === "ready" && !hidesLines ? state.body.fileDiff : null;
  if (fileDiff !== null && fileDiff.hunks.length > 0) {
    return { ...shared, fileDiff, annotations: notes.map((note) => toAnnotation(note, fileDiff)) };
  }
  const place = { side: "additions", lineNumber: 0 } as const;
  return {
    ...shared,
    fileDiff: emptyDiff(file),
    annotations: [
      { ...place, metadata: { kind: "body" } },
      ...notes.map((note) => ({
        ...place,
        metadata: { kind: "note", note, isOutOfView: note.line > 0 } as const,
      })),
    ],
  };
}

/** A note below its line; where the line is not among those shown, above the file's first line. */
function toAnnotation(note: Note, fileDiff: ParsedBody["fileDiff"]): DiffLineAnnotation<SlotContent> {
  const isShown = note.line > 0 && isInHunks(fileDiff, note.side, note.line);
  const isOld = isShown ? note.side === "old" : fileDiff.type === "deleted";
  return {
    side: isOld ? "deletions" : "additions",
    lineNumber: isShown ? note.line : 0,
    metadata: { kind: "note", note, isOutOfView: note.line > 0 && !isShown },
  };
}

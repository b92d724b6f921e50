import type { FileDiffMetadata } from "@pierre/diffs";
import type { Side } from "./places";

type LineSource = Pick<FileDiffMetadata, "hunks" | "additionLines" | "deletionLines">;

/** One line as a reader meets it, from top to bottom: removed lines before the added ones of the same change. */
export interface LineRow {
  kind: "context" | "added" | "removed";
  side: Side;
  /** On its own side. */
  line: number;
  oldLine: number | null;
  newLine: number | null;
  text: string;
  /** The first line of a change. */
  startsChange: boolean;
  /** The first line of a hunk: lines before it are not shown. */
  startsHunk: boolean;
}

const withoutEnd = (line: string | undefined): string => (line ?? "").replace(/\r?\n$/, "");

/** The lines of a file's hunks, in the order of the unified view. */
export function rowsOf(source: LineSource): LineRow[] {
  const rows: LineRow[] = [];
  for (const hunk of source.hunks) {
    let oldLine = hunk.deletionStart;
    let newLine = hunk.additionStart;
    let startsHunk = true;
    const push = (row: Omit<LineRow, "startsHunk">): void => {
      rows.push({ ...row, startsHunk });
      startsHunk = false;
    };
    for (const part of hunk.hunkContent) {
      if (part.type === "context") {
        for (let index = 0; index < part.lines; index += 1) {
          const text = withoutEnd(source.additionLines[part.additionLineIndex + index]);
          push({ kind: "context", side: "new", line: newLine, oldLine, newLine, text, startsChange: false });
          oldLine += 1;
          newLine += 1;
        }
        continue;
      }
      for (let index = 0; index < part.deletions; index += 1) {
        const text = withoutEnd(source.deletionLines[part.deletionLineIndex + index]);
        const startsChange = index === 0;
        push({ kind: "removed", side: "old", line: oldLine, oldLine, newLine: null, text, startsChange });
        oldLine += 1;
      }
      for (let index = 0; index < part.additions; index += 1) {
        const text = withoutEnd(source.additionLines[part.additionLineIndex + index]);
        const startsChange = index === 0 && part.deletions === 0;
        push({ kind: "added", side: "new", line: newLine, oldLine: null, newLine, text, startsChange });
        newLine += 1;
      }
    }
  }
  return rows;
}

const rowsBySource = new WeakMap<LineSource["hunks"], LineRow[]>();

/** As `rowsOf`, and read once for the same hunks. */
export function cachedRows(source: LineSource): LineRow[] {
  const known = rowsBySource.get(source.hunks) ?? rowsOf(source);
  rowsBySource.set(source.hunks, known);
  return known;
}

/** True for a line that stands in one of the hunks. */
export function isInHunks(source: LineSource, side: Side, line: number): boolean {
  return source.hunks.some((hunk) => {
    const [start, count] =
      side === "old" ? [hunk.deletionStart, hunk.deletionCount] : [hunk.additionStart, hunk.additionCount];
    return line >= start && line < start + count;
  });
}

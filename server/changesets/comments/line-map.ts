import type { Hunk } from "./patch-lines";
import type { Placement } from "./types";

type MappedRange = Pick<Placement, "startLine" | "endLine"> & {
  status: "same" | "moved" | "changed" | "line_gone";
};

/** Where a range of old lines is after the hunks of a patch without context. Hunks stand in the order of the file. */
export function mapRange(
  hunks: readonly Hunk[],
  { startLine, endLine }: { startLine: number; endLine: number },
): MappedRange {
  const touching = hunks.filter((hunk) => touches(hunk, startLine, endLine));
  if (touching.length === 0) {
    const shift = shiftBefore(hunks, startLine);
    return {
      status: shift === 0 ? "same" : "moved",
      startLine: startLine + shift,
      endLine: endLine + shift,
    };
  }
  const removed = touching.reduce((sum, hunk) => sum + overlap(hunk, startLine, endLine), 0);
  const isGone = removed === endLine - startLine + 1 && touching.every((hunk) => hunk.newCount === 0);
  if (isGone) return { status: "line_gone", startLine: null, endLine: null };
  const [first, last] = [touching[0], touching.at(-1)];
  const from =
    first !== undefined && first.oldCount > 0 && first.oldStart <= startLine
      ? firstNewLine(first)
      : startLine + shiftBefore(hunks, startLine);
  const to =
    last !== undefined && lastOldLine(last) >= endLine
      ? firstNewLine(last) + last.newCount - 1
      : endLine + shiftBefore(hunks, endLine + 1);
  const start = Math.max(1, from);
  return { status: "changed", startLine: start, endLine: Math.max(start, to) };
}

/** Lines were taken out of the range, or put in between two of its lines. */
function touches(hunk: Hunk, startLine: number, endLine: number): boolean {
  if (hunk.oldCount === 0) return hunk.oldStart >= startLine && hunk.oldStart < endLine;
  return hunk.oldStart <= endLine && lastOldLine(hunk) >= startLine;
}

function overlap(hunk: Hunk, startLine: number, endLine: number): number {
  if (hunk.oldCount === 0) return 0;
  return Math.min(lastOldLine(hunk), endLine) - Math.max(hunk.oldStart, startLine) + 1;
}

/** By how much the hunks that end before this line move it. */
function shiftBefore(hunks: readonly Hunk[], line: number): number {
  return hunks
    .filter((hunk) => (hunk.oldCount === 0 ? hunk.oldStart < line : lastOldLine(hunk) < line))
    .reduce((sum, hunk) => sum + hunk.newCount - hunk.oldCount, 0);
}

function lastOldLine(hunk: Hunk): number {
  return hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart + hunk.oldCount - 1;
}

/** git names the line before where nothing was put in. */
function firstNewLine(hunk: Hunk): number {
  return hunk.newCount === 0 ? hunk.newStart + 1 : hunk.newStart;
}

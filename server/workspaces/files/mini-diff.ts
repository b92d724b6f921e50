import { readTextKind } from "./text-kind";

/** Files above this size are not compared: their events tell sizes only. */
export const comparedBytesMax = 256 * 1024;
/** What is kept of a diff: enough to see what an agent did, not a second copy of the file. */
const keptLinesMax = 60;
const keptLineCharactersMax = 300;
const contextLines = 2;
/** Above this the changed part is told as one piece, all of it removed and all of it added. */
const comparedPairsMax = 250_000;

/**
 * What a tool changed in a file, small enough to stand in an event. Counts are of the whole change; `patch` holds the hunks of
 * a unified diff without its file header, and ends early when `truncated`.
 */
export type MiniDiff = {
  insertions: number;
  deletions: number;
  patch: string;
  truncated: boolean;
};

interface Operation {
  sign: " " | "-" | "+";
  text: string;
}

/** Compares two states of a file, null where it is not there. Null for what is no text or too large to be compared. */
export function describeChange(before: Uint8Array | null, after: Uint8Array | null): MiniDiff | null {
  const old = linesOf(before);
  const now = linesOf(after);
  if (old === null || now === null) return null;
  const operations = compareLines(old, now);
  const { patch, truncated } = writeHunks(operations);
  const count = (sign: Operation["sign"]): number => operations.filter((one) => one.sign === sign).length;
  return { insertions: count("+"), deletions: count("-"), patch, truncated };
}

/** Lines with their ends, so that a change of a line end is a change of the line. */
function linesOf(bytes: Uint8Array | null): string[] | null {
  if (bytes === null) return [];
  if (bytes.length > comparedBytesMax || readTextKind(bytes, false).kind === "binary") return null;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compareLines(old: readonly string[], now: readonly string[]): Operation[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...signed(" ", old.slice(0, start)),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...signed(" ", end === 0 ? [] : old.slice(-end)),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(old: readonly string[], now: readonly string[]): Operation[] {
  if (old.length * now.length > comparedPairsMax) return [...signed("-", old), ...signed("+", now)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const operations: Operation[] = [];
  let j = 0;
  for (const [i, line] of old.entries()) {
    while (j < now.length && now[j] !== line && at(i, j + 1) > at(i + 1, j)) {
      operations.push({ sign: "+", text: now[j] ?? "" });
      j++;
    }
    const isKept = j < now.length && now[j] === line;
    operations.push({ sign: isKept ? " " : "-", text: line });
    if (isKept) j++;
  }
  return [...operations, ...signed("+", now.slice(j))];
}

function signed(sign: Operation["sign"], lines: readonly string[]): Operation[] {
  return lines.map((text) => ({ sign, text }));
}

function writeHunks(operations: readonly Operation[]): { patch: string; truncated: boolean } {
  const rows: string[] = [];
  let truncated = false;
  let oldLine = 1;
  let newLine = 1;
  let place = 0;
  for (const { start, end } of hunkRanges(operations)) {
    const skipped = start - place;
    const hunk = operations.slice(start, end);
    const oldCount = hunk.filter(({ sign }) => sign !== "+").length;
    const newCount = hunk.filter(({ sign }) => sign !== "-").length;
    oldLine += skipped;
    newLine += skipped;
    if (rows.length >= keptLinesMax) return { patch: rows.join("\n"), truncated: true };
    rows.push(`@@ -${lineRange(oldLine, oldCount)} +${lineRange(newLine, newCount)} @@`);
    for (const { sign, text } of hunk) {
      if (rows.length > keptLinesMax) return { patch: rows.join("\n"), truncated: true };
      const line = text.replace(/\n$/, "");
      if (line.length > keptLineCharactersMax) truncated = true;
      rows.push(sign + line.slice(0, keptLineCharactersMax));
      if (!text.endsWith("\n")) rows.push("\\ No newline at end of file");
    }
    oldLine += oldCount;
    newLine += newCount;
    place = end;
  }
  return { patch: rows.join("\n"), truncated };
}

/** As in a unified diff: an empty side names the line before it. */
function lineRange(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}

/** The changed stretches with a little around them; those that touch are one. */
function hunkRanges(operations: readonly Operation[]): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const [index, { sign }] of operations.entries()) {
    if (sign === " ") continue;
    const start = Math.max(0, index - contextLines);
    const end = Math.min(operations.length, index + contextLines + 1);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

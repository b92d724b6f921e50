import { splitAtNul } from "./path-handle";

/** One entry of git's raw output. Paths are bytes: nothing is decoded or unquoted. */
export interface RawEntry {
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
  status: "A" | "D" | "M" | "R" | "T";
  similarity: number | null;
  oldPath: Buffer;
  newPath: Buffer;
}

/** Lines of one file; null where git calls it binary. */
export interface LineCount {
  insertions: number | null;
  deletions: number | null;
}

const header = /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) ([ADMRT])(\d*)$/;
const numbers = /^(\d+|-)\t(\d+|-)\t/;

/** Reads `--raw -z` output. Throws on what git does not write. Source: git-diff-tree, "Raw output format". */
export function parseRaw(output: Buffer): RawEntry[] {
  const parts = splitAtNul(output);
  const entries: RawEntry[] = [];
  for (let index = 0; index < parts.length;) {
    const match = header.exec(partAt(parts, index++).toString("latin1"));
    if (match === null) throw new Error("git wrote a raw line that was not understood");
    const [, oldMode = "", newMode = "", oldId = "", newId = "", letter = "", score = ""] = match;
    const status = letter as RawEntry["status"];
    const oldPath = partAt(parts, index++);
    const newPath = status === "R" ? partAt(parts, index++) : oldPath;
    const similarity = status === "R" ? Number(score) : null;
    entries.push({ oldMode, newMode, oldId, newId, status, similarity, oldPath, newPath });
  }
  return entries;
}

/** Reads `--numstat -z` output, keyed by the new path's bytes as latin1. */
export function parseNumstat(output: Buffer): Map<string, LineCount> {
  const parts = splitAtNul(output);
  const counts = new Map<string, LineCount>();
  for (let index = 0; index < parts.length;) {
    const part = partAt(parts, index++);
    const match = numbers.exec(part.toString("latin1"));
    if (match === null) throw new Error("git wrote a line of numbers that was not understood");
    const [all, insertions = "", deletions = ""] = match;
    let path = part.subarray(all.length);
    if (path.length === 0) {
      index += 1;
      path = partAt(parts, index++);
    }
    counts.set(path.toString("latin1"), { insertions: toCount(insertions), deletions: toCount(deletions) });
  }
  return counts;
}

function toCount(text: string): number | null {
  return text === "-" ? null : Number(text);
}

function partAt(parts: readonly Buffer[], index: number): Buffer {
  const part = parts[index];
  if (part === undefined) throw new Error("git's output ended too early");
  return part;
}

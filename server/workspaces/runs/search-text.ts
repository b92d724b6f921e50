import type { JsonValue } from "../../platform/storable-text";

/** A line is cut around what was found in it. */
const excerptCharactersMax = 240;
const leadCharacters = 80;
/** Of a place with more, the first so many are told; the count is of all. */
const excerptsMax = 5;

/** What a terminal obeys and does not show: it would part a word from itself. */
const escapeSequences =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** Where a text was found, as the lines it stands in. */
export interface Found {
  excerpts: string[];
  matchCount: number;
}

/**
 * Finds a text as it is written, whatever the case of its letters. `lead` is what stands directly before: a match that begins
 * in it and ends behind it counts, one that lies in it does not.
 */
export type Finder = (text: string, lead?: string) => Found | null;

export function createFinder(wanted: string): Finder {
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  return (raw, rawLead = "") => {
    const lead = rawLead.replace(escapeSequences, "");
    const text = lead + raw.replace(escapeSequences, "");
    const excerpts: string[] = [];
    let matchCount = 0;
    let shownUntil = -1;
    for (const match of text.matchAll(pattern)) {
      if (match.index + match[0].length <= lead.length) continue;
      matchCount++;
      if (match.index < shownUntil || excerpts.length === excerptsMax) continue;
      shownUntil = endOfLine(text, match.index);
      excerpts.push(excerptOf(text, match.index, shownUntil));
    }
    return matchCount === 0 ? null : { excerpts, matchCount };
  };
}

function endOfLine(text: string, place: number): number {
  const feed = text.indexOf("\n", place);
  return feed === -1 ? text.length : feed;
}

function excerptOf(text: string, place: number, lineEnd: number): string {
  const lineStart = text.lastIndexOf("\n", place - 1) + 1;
  const start = Math.max(lineStart, place - leadCharacters);
  const end = Math.min(lineEnd, start + excerptCharactersMax);
  return (start > lineStart ? "…" : "") + text.slice(start, end).trim() + (end < lineEnd ? "…" : "");
}

/** Ids, hashes and the like tell a reader nothing, and would be found by many short words. */
const untoldKeys: ReadonlySet<string> = new Set(["commandId", "sha256", "runtimeId", "imageDigest"]);

/** Every text in an event's data that a reader sees, a line each. */
export function textsOf(data: JsonValue): string {
  if (typeof data === "string") return data;
  if (typeof data !== "object" || data === null) return "";
  if (Array.isArray(data)) return data.map(textsOf).join("\n");
  return Object.entries(data)
    .filter(([key]) => !untoldKeys.has(key))
    .map(([, value]) => textsOf(value))
    .filter((text) => text !== "")
    .join("\n");
}

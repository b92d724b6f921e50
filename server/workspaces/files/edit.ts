import { DomainError } from "../../platform/errors";
import { findAll } from "./byte-search";
import { nearestLines } from "./nearest-lines";
import { readTextKind } from "./text-kind";

export const fileBytesMax = 10 * 1024 * 1024;
const listedLinesMax = 20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMarkBytes = 3;

export interface EditRequest {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

/** A text in the two forms in which it can stand in a file. They are one when line ends make no difference. */
interface LineEndForms {
  asFeeds: Uint8Array;
  asPairs: Uint8Array;
}

/**
 * Replaces one text in a file by another, and touches no other byte: line ends, a byte order mark and a missing
 * final line feed stay as they are. The match is exact, with two things that a caller cannot see in what was read:
 * a byte order mark belongs to no line, and a line feed in `oldText` also finds CRLF where all line ends of the place are.
 * `newText` is literal; without a carriage return it takes the line ends of the place that it goes to.
 *
 * Errors, with nothing changed: `edit.no_match` (`details.nearest`), `edit.ambiguous` (`details.count`, `details.lines`: the
 * first lines that hold one; overlapping places count), `edit.binary`, `input.invalid` for an empty `oldText`, `file.too_large` for the result.
 */
export function applyEdit(
  bytes: Uint8Array,
  request: EditRequest,
): { bytes: Uint8Array; replacements: number } {
  const kind = readTextKind(bytes, false);
  if (kind.kind === "binary") {
    throw new DomainError(
      "edit.binary",
      `The file is binary, ${bytes.length} bytes: ${kind.reason}. Nothing was changed.`,
      {
        sizeBytes: bytes.length,
      },
    );
  }
  const body = kind.hasByteOrderMark ? bytes.subarray(byteOrderMarkBytes) : bytes;
  const { oldText, newText } = kind.hasByteOrderMark ? withoutByteOrderMarks(request) : request;
  if (oldText === "" || /\p{Cs}/u.test(oldText)) {
    throw new DomainError("input.invalid", "oldText is not empty and is well-formed Unicode.");
  }
  const places = findPlaces(body, oldText);
  if (places.length === 0) throw noMatch(body, oldText);
  if (places.length > 1 && !request.replaceAll) throw ambiguous(body, places);
  const prefix = bytes.subarray(0, bytes.length - body.length);
  return replacePlaces(prefix, body, { places, sought: formsOf(oldText), put: formsOf(newText) });
}

/** Text copied from the first line of such a file may bring the mark along. */
function withoutByteOrderMarks(request: EditRequest): { oldText: string; newText: string } {
  if (!request.oldText.startsWith("\ufeff")) return request;
  return { oldText: request.oldText.slice(1), newText: request.newText.replace(/^\ufeff/, "") };
}

/** Where the old text begins, in order, overlapping places too. */
function findPlaces(body: Uint8Array, oldText: string): number[] {
  const { asFeeds, asPairs } = formsOf(oldText);
  const exact = findAll(body, asFeeds);
  if (asFeeds === asPairs) return exact;
  // A line feed that is the half of a CRLF is no line end by itself.
  const withFeeds = exact.filter((start) => body[start] !== lineFeed || body[start - 1] !== carriageReturn);
  const withPairs = findAll(body, asPairs);
  return withPairs.length === 0 ? withFeeds : withFeeds.concat(withPairs).sort((a, b) => a - b);
}

/** A text that holds a carriage return is taken at its word. */
function formsOf(text: string): LineEndForms {
  const asFeeds = Buffer.from(text);
  if (text.includes("\r") || !text.includes("\n")) return { asFeeds, asPairs: asFeeds };
  return { asFeeds, asPairs: Buffer.from(text.replaceAll("\n", "\r\n")) };
}

/** Writes the result in one buffer, whose size is known and judged before it is made. Overlapping places are left out. */
function replacePlaces(
  prefix: Uint8Array,
  body: Uint8Array,
  edit: { places: readonly number[]; sought: LineEndForms; put: LineEndForms },
): { bytes: Uint8Array; replacements: number } {
  const { places, sought, put } = edit;
  const sizeBytes = prefix.length + sizeAfter(body, edit);
  if (sizeBytes > fileBytesMax) {
    throw new DomainError(
      "file.too_large",
      `The file would have ${sizeBytes} bytes; a file tool writes at most 10 MiB.`,
      { sizeBytes },
    );
  }
  const result = new Uint8Array(sizeBytes);
  result.set(prefix);
  const isCrlfAt = createLineEndReader(body);
  let written = prefix.length;
  let copied = 0;
  let replacements = 0;
  for (const start of places) {
    if (start < copied) continue;
    const isCrlf = isCrlfAt(start);
    const added = isCrlf ? put.asPairs : put.asFeeds;
    written = copyBytes(result, written, { from: body, start: copied, end: start });
    written = copyBytes(result, written, { from: added, start: 0, end: added.length });
    copied = start + (isCrlf ? sought.asPairs : sought.asFeeds).length;
    replacements++;
  }
  copyBytes(result, written, { from: body, start: copied, end: body.length });
  return { bytes: result, replacements };
}

function sizeAfter(
  body: Uint8Array,
  edit: { places: readonly number[]; sought: LineEndForms; put: LineEndForms },
): number {
  const { places, sought, put } = edit;
  const isCrlfAt = createLineEndReader(body);
  let sizeBytes = body.length;
  let end = 0;
  for (const start of places) {
    if (start < end) continue;
    const isCrlf = isCrlfAt(start);
    const removedBytes = (isCrlf ? sought.asPairs : sought.asFeeds).length;
    sizeBytes += (isCrlf ? put.asPairs : put.asFeeds).length - removedBytes;
    end = start + removedBytes;
  }
  return sizeBytes;
}

/** Copies a piece and gives the place behind it. For a few bytes a loop is faster than a view of them. */
function copyBytes(
  target: Uint8Array,
  at: number,
  piece: { from: Uint8Array; start: number; end: number },
): number {
  const { from, start, end } = piece;
  if (end - start > 64) target.set(from.subarray(start, end), at);
  else for (let index = start; index < end; index++) target[at + index - start] = from[index] ?? 0;
  return at + end - start;
}

/**
 * Tells whether the first line end at or behind a place is CRLF; behind the last line end, what that one is. That is the
 * first line end inside a match, or that of the line which it stands in. Places are asked for in ascending order.
 */
function createLineEndReader(body: Uint8Array): (start: number) => boolean {
  let feed = body.indexOf(lineFeed);
  let isLast = feed === -1;
  return (start) => {
    if (!isLast && feed < start) {
      const next = body.indexOf(lineFeed, start);
      isLast = next === -1;
      feed = isLast ? body.lastIndexOf(lineFeed) : next;
    }
    return feed > 0 && body[feed - 1] === carriageReturn;
  };
}

function noMatch(body: Uint8Array, oldText: string): DomainError {
  const nearest = nearestLines(new TextDecoder().decode(body), oldText);
  const places = nearest.map(({ line, text }) => `line ${line}: ${text}`).join("\n");
  const hint =
    nearest.length === 0
      ? "No line is like its first one."
      : `The lines most like its first one (mind white space and line ends):\n${places}`;
  return new DomainError("edit.no_match", `oldText is not in the file; nothing was changed. ${hint}`, {
    nearest,
  });
}

function ambiguous(body: Uint8Array, places: readonly number[]): DomainError {
  const all = [...new Set(lineNumbers(body, places))];
  const lines = all.slice(0, listedLinesMax);
  const where = all.length === 1 ? `all in line ${all.join()}` : `in lines ${lines.join(", ")}`;
  const more = all.length > lines.length ? ", …" : "";
  return new DomainError(
    "edit.ambiguous",
    `oldText is in the file ${places.length} times, ${where}${more}; nothing was changed.` +
      " Take in more of the text around it, or set replaceAll.",
    { count: places.length, lines },
  );
}

/** The line of each place, counted from 1. */
function lineNumbers(body: Uint8Array, places: readonly number[]): number[] {
  let line = 1;
  let counted = 0;
  return places.map((start) => {
    for (; counted < start; counted++) if (body[counted] === lineFeed) line++;
    return line;
  });
}

import { DomainError } from "../../platform/errors";
import { findAll } from "./byte-search";
import { nearestLines } from "./nearest-lines";
import { readTextKind } from "./text-kind";

export const fileBytesMax = 10 * 1024 * 1024;
const listedPlacesMax = 20;
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
 * Errors, with nothing changed: `edit.no_match` (`details.nearest`), `edit.ambiguous` (`details.count`, `details.lines`;
 * overlapping places count), `edit.binary`, `input.invalid` for an empty `oldText`, `file.too_large` for the result.
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

/** Writes the result in one buffer, whose size is known and judged before it is made. */
function replacePlaces(
  prefix: Uint8Array,
  body: Uint8Array,
  edit: { places: readonly number[]; sought: LineEndForms; put: LineEndForms },
): { bytes: Uint8Array; replacements: number } {
  const { sought, put } = edit;
  const chosen: number[] = [];
  let sizeBytes = prefix.length + body.length;
  let end = 0;
  const isCrlfAt = createLineEndReader(body);
  for (const start of edit.places) {
    if (start < end) continue;
    const { removed, added } = pickForms(sought, put, isCrlfAt(start));
    end = start + removed.length;
    sizeBytes += added.length - removed.length;
    chosen.push(start);
  }
  if (sizeBytes > fileBytesMax) {
    throw new DomainError(
      "file.too_large",
      `The file would have ${sizeBytes} bytes; a file tool writes at most 10 MiB.`,
      { sizeBytes },
    );
  }
  const result = new Uint8Array(sizeBytes);
  result.set(prefix);
  let written = prefix.length;
  let copied = 0;
  const isCrlfAgainAt = createLineEndReader(body);
  for (const start of chosen) {
    const { removed, added } = pickForms(sought, put, isCrlfAgainAt(start));
    result.set(body.subarray(copied, start), written);
    written += start - copied;
    result.set(added, written);
    written += added.length;
    copied = start + removed.length;
  }
  result.set(body.subarray(copied), written);
  return { bytes: result, replacements: chosen.length };
}

function pickForms(
  sought: LineEndForms,
  put: LineEndForms,
  isCrlf: boolean,
): { removed: Uint8Array; added: Uint8Array } {
  return isCrlf
    ? { removed: sought.asPairs, added: put.asPairs }
    : { removed: sought.asFeeds, added: put.asFeeds };
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
  const lines = lineNumbers(body, places.slice(0, listedPlacesMax));
  const more = places.length > lines.length ? ", …" : "";
  return new DomainError(
    "edit.ambiguous",
    `oldText is in the file ${places.length} times, at lines ${lines.join(", ")}${more}; nothing was changed.` +
      " Take in more lines around it, or set replaceAll.",
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

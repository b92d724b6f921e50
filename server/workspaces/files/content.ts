import { createHash } from "node:crypto";
import { DomainError } from "../../platform/errors";
import { withoutSplitEnd } from "../utf8-cut";
import { fileBytesMax } from "./edit";
import { readTextKind } from "./text-kind";

const lineFeed = 0x0a;

/** What readFile answers, but for the path. */
export interface ContentDescription {
  encoding: "utf8" | "base64";
  content: string;
  /** Of the whole file; null when it is too large to be read whole. */
  sha256: string | null;
  sizeBytes: number;
  /** Null for binary files and for those that were not read whole. */
  lineCount: number | null;
  /** Whether `content` ends before the asked range does. */
  truncated: boolean;
}

export interface ContentRange {
  /** Counted from 1, both ends included. */
  startLine: number | undefined;
  endLine: number | undefined;
  bytesMax: number;
}

/**
 * Describes a file, or the beginning of it that was read, for a caller. Text is UTF-8 without a NUL and is given exactly,
 * byte order mark and line ends included; everything else is base64. A cut never splits a character. Lines behind the
 * last one are no fault: the content is then empty. Errors: `input.invalid` for lines of a binary file.
 */
export function describeContent(
  file: { bytes: Uint8Array; sizeBytes: number },
  range: ContentRange,
): ContentDescription {
  const { bytes, sizeBytes } = file;
  const isWhole = bytes.length >= sizeBytes;
  const sha256 = isWhole ? hashBytes(bytes) : null;
  const kind = readTextKind(bytes, !isWhole);
  if (kind.kind === "binary") {
    if (range.startLine !== undefined || range.endLine !== undefined) {
      throw new DomainError(
        "input.invalid",
        `The file is binary, ${sizeBytes} bytes: ${kind.reason}. It has no lines.`,
      );
    }
    const shown = bytes.subarray(0, range.bytesMax);
    const content = Buffer.from(shown).toString("base64");
    return {
      encoding: "base64",
      content,
      sha256,
      sizeBytes,
      lineCount: null,
      truncated: shown.length < sizeBytes,
    };
  }
  const { selected, isOpenEnded } = selectLines(bytes, range);
  const isTruncated = selected.length > range.bytesMax || (isOpenEnded && !isWhole);
  const shown = isTruncated ? withoutSplitEnd(selected.subarray(0, range.bytesMax)) : selected;
  return {
    encoding: "utf8",
    content: new TextDecoder("utf-8", { ignoreBOM: true }).decode(shown),
    sha256,
    sizeBytes,
    lineCount: isWhole ? countLines(bytes) : null,
    truncated: isTruncated,
  };
}

/**
 * The bytes that a caller wants written. Text is written as UTF-8, half a surrogate pair as U+FFFD.
 * Errors: `input.invalid` for what is no base64, `file.too_large` above 10 MiB.
 */
export function readContent(input: { content: string; encoding: "utf8" | "base64" }): Uint8Array {
  const bytes = Buffer.from(input.content, input.encoding);
  if (input.encoding === "base64" && bytes.toString("base64") !== input.content) {
    throw new DomainError("input.invalid", "content is not base64 (RFC 4648, padded, without line breaks).");
  }
  if (bytes.length > fileBytesMax) {
    throw new DomainError(
      "file.too_large",
      `The content has ${bytes.length} bytes; a file tool writes at most 10 MiB.`,
      {
        sizeBytes: bytes.length,
      },
    );
  }
  return bytes;
}

/** SHA-256, lower-case hex. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, feed + 1)) count++;
  return bytes.length > 0 && bytes.at(-1) !== lineFeed ? count + 1 : count;
}

/** The bytes of the asked lines; `isOpenEnded` when the range goes on behind what was read. */
function selectLines(bytes: Uint8Array, range: ContentRange): { selected: Uint8Array; isOpenEnded: boolean } {
  const startLine = range.startLine ?? 1;
  const start = findLine(bytes, { line: startLine, from: 0, fromLine: 1 }) ?? bytes.length;
  if (range.endLine === undefined) return { selected: bytes.subarray(start), isOpenEnded: true };
  const end = findLine(bytes, { line: range.endLine + 1, from: start, fromLine: startLine });
  return { selected: bytes.subarray(start, end ?? bytes.length), isOpenEnded: end === null };
}

/** Where a line begins, walking on from the beginning of one before it; null when that is not reached. */
function findLine(bytes: Uint8Array, at: { line: number; from: number; fromLine: number }): number | null {
  let place = at.from;
  for (let line = at.fromLine; line < at.line; line++) {
    const feed = bytes.indexOf(lineFeed, place);
    if (feed === -1) return null;
    place = feed + 1;
  }
  return place;
}

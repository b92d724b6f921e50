import { isUtf8 } from "node:buffer";
import type { DiffSide } from "./types";

/** What the bytes of one blob are like. */
export interface BlobTraits {
  /** git would call it binary: a U+0000 in its first 8000 bytes. */
  hasEarlyNul: boolean;
  /** Reads as text to a person or a compiler, whatever git calls it. */
  isText: boolean;
  encoding: DiffSide["encoding"];
  hasBom: boolean;
  lineEndings: "none" | "lf" | "crlf" | "mixed";
  endsInLineFeed: boolean;
  hasInvisibleOrBidi: boolean;
  hasConflictMarkers: boolean;
  lfs: DiffSide["lfs"];
}

/** How far git looks for a U+0000. Source: git's xdiff-interface.c, FIRST_FEW_BYTES. */
const gitLooksAtBytes = 8_000;
const lfsPointerBytesMax = 1_024;

/**
 * Characters that show nothing or turn the direction of text: C0 controls but tab, line feed, form feed and return; soft
 * hyphen, Arabic letter mark, Hangul and Mongolian fillers, zero-width ones, bidirectional controls, word joiner and invisible
 * operators, a byte order mark inside, tags, variation selectors of the supplement.
 */
const invisibleOrBidi =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f\u0080-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

/** Looks at the bytes of a blob once. */
export function traitsOf(bytes: Buffer): BlobTraits {
  const hasNul = bytes.includes(0);
  const encoding = guessEncoding(bytes, hasNul);
  // What is no text to us may be one to git, and is looked through for what hides in it all the same.
  const text = decode(bytes, encoding ?? (isUtf8(bytes) ? "utf-8" : "iso-8859-1"));
  const hasBom = text.startsWith("\ufeff");
  const body = hasBom ? text.slice(1) : text;
  return {
    hasEarlyNul: bytes.subarray(0, gitLooksAtBytes).includes(0),
    isText: encoding === "utf-8" || encoding === "iso-8859-1",
    encoding,
    hasBom,
    lineEndings: lineEndingsOf(body),
    endsInLineFeed: text === "" || text.endsWith("\n"),
    hasInvisibleOrBidi: invisibleOrBidi.test(body),
    hasConflictMarkers: /^<{7}(?: |\r?$)/m.test(body) && /^>{7}(?: |\r?$)/m.test(body),
    lfs: bytes.length <= lfsPointerBytesMax ? readLfsPointer(text) : null,
  };
}

/** UTF-8 where it is; UTF-16 by its mark; else Latin-1, unless a U+0000 or many controls say that it is no text at all. */
function guessEncoding(bytes: Buffer, hasNul: boolean): DiffSide["encoding"] {
  if (bytes.length >= 2 && bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes.length >= 2 && bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (hasManyControls(bytes)) return null;
  if (isUtf8(bytes)) return "utf-8";
  return hasNul ? null : "iso-8859-1";
}

/** A few may stand in any text; more than one in fifty do not. */
function hasManyControls(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 65_536);
  let controls = 0;
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32)) controls += 1;
  return controls > Math.max(4, sample.length / 50);
}

function decode(bytes: Buffer, encoding: NonNullable<DiffSide["encoding"]>): string {
  if (encoding === "utf-8") return bytes.toString("utf8");
  if (encoding === "iso-8859-1") return bytes.toString("latin1");
  if (encoding === "utf-16le") return bytes.toString("utf16le");
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString("utf16le");
}

function lineEndingsOf(text: string): BlobTraits["lineEndings"] {
  let crlf = 0;
  let lf = 0;
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) {
    if (text[index - 1] === "\r") crlf += 1;
    else lf += 1;
  }
  if (crlf === 0) return lf === 0 ? "none" : "lf";
  return lf === 0 ? "crlf" : "mixed";
}

/** Source: the pointer file of git-lfs, its specification version 1. */
function readLfsPointer(text: string): DiffSide["lfs"] {
  if (!text.startsWith("version https://git-lfs.github.com/spec/v1\n")) return null;
  const objectId = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d{1,15})$/m.exec(text)?.[1];
  return objectId === undefined || size === undefined ? null : { objectId, sizeBytes: Number(size) };
}

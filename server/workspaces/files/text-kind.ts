/** What bytes are as text. `reason` is a clause that goes behind "The file is binary". */
export type TextKind = { kind: "text"; hasByteOrderMark: boolean } | { kind: "binary"; reason: string };

/**
 * Tells text from everything else: text is UTF-8 without a NUL, with or without a byte order mark. UTF-16 and UTF-32 are
 * binary here and named. With `isCut` the bytes may end inside a character.
 */
export function readTextKind(bytes: Uint8Array, isCut: boolean): TextKind {
  const wide = wideEncoding(bytes);
  if (wide !== null)
    return { kind: "binary", reason: `it is ${wide}; only UTF-8 is edited and shown as text` };
  if (bytes.includes(0)) return { kind: "binary", reason: "it holds a NUL byte" };
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return { kind: "binary", reason: "it is not UTF-8" };
  }
  return { kind: "text", hasByteOrderMark: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
}

function wideEncoding(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length >= 4 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? "UTF-32" : null;
}

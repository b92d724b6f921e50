/** The line with which git begins each file of a patch. No line of content can begin so: those have a mark before them. */
const sectionStart = Buffer.from("diff --git ");

/**
 * Cuts a patch of several files into the part of each, by its first line. Only for files whose name did not change: theirs
 * is the one kind of first line that can be told for certain.
 */
export function splitSections(patch: Buffer): Map<string, Buffer> {
  const starts: number[] = [];
  for (let at = 0; at >= 0 && at < patch.length;) {
    if (patch.subarray(at, at + sectionStart.length).equals(sectionStart)) starts.push(at);
    const lineEnd = patch.indexOf(0x0a, at);
    at = lineEnd < 0 ? -1 : lineEnd + 1;
  }
  return new Map(
    starts.map((start, index) => {
      const section = patch.subarray(start, starts[index + 1] ?? patch.length);
      const lineEnd = section.indexOf(0x0a);
      return [section.toString("latin1", 0, lineEnd < 0 ? section.length : lineEnd), section];
    }),
  );
}

/** The first line that git writes for a file which has this name on both sides, as Latin-1. */
export function sectionHeader(path: Buffer): string {
  return `diff --git ${quoted("a/", path)} ${quoted("b/", path)}`;
}

const shortEscapes: Readonly<Record<number, string>> = {
  0x07: "\\a",
  0x08: "\\b",
  0x09: "\\t",
  0x0a: "\\n",
  0x0b: "\\v",
  0x0c: "\\f",
  0x0d: "\\r",
  0x22: '\\"',
  0x5c: "\\\\",
};

/** Source: git's quote.c with core.quotePath on, its default. */
function quoted(prefix: string, path: Buffer): string {
  let isQuoted = false;
  let text = "";
  for (const byte of path) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    isQuoted ||= !isPlain;
    text += isPlain
      ? String.fromCharCode(byte)
      : (shortEscapes[byte] ?? `\\${byte.toString(8).padStart(3, "0")}`);
  }
  return isQuoted ? `"${prefix}${text}"` : `${prefix}${text}`;
}

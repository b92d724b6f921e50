import type { DiffFile } from "./places";

/** What the API gives of one file. */
export interface RawPatch {
  patch: string;
  encoding: "utf8" | "base64";
  truncated: boolean;
}

export interface PatchText {
  text: string;
  /** Some lines were not UTF-8 and were read as Windows-1252. */
  isGuessed: boolean;
}

/** The patch as text. Each line is UTF-8 where it is, else Windows-1252: two different lines never read alike. */
export function decodePatch({ patch, encoding }: RawPatch): PatchText {
  if (encoding === "utf8") return { text: patch, isGuessed: false };
  const bytes = Uint8Array.from(atob(patch), (character) => character.charCodeAt(0));
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const guess = new TextDecoder("windows-1252");
  const lines: string[] = [];
  let isGuessed = false;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(start, end);
    try {
      lines.push(strict.decode(line));
    } catch {
      isGuessed = true;
      lines.push(guess.decode(line));
    }
    start = end;
  }
  return { text: lines.join(""), isGuessed };
}

/**
 * The hunks of a patch under a header of ours. git's own header is left out: names come from the list of files, never from
 * the text of a patch. A change of type is two patches for git, a deletion and an addition; here it is one.
 */
export function toPlainPatch(text: string, file: DiffFile): string {
  // Only after a line feed: other line ends can stand inside a line of the file.
  const sections = text.split(/(?<=\n)(?=diff --git )/).map(hunksOf);
  const hunks = sections.filter((section) => section !== "");
  const mode =
    file.status === "added"
      ? "new file mode 100644\n"
      : file.status === "deleted"
        ? "deleted file mode 100644\n"
        : "";
  return `diff --git a/file b/file\n${mode}${hunks.length === 2 ? joinTypeChange(hunks) : hunks.join("")}`;
}

function hunksOf(section: string): string {
  if (section.startsWith("@@ ")) return section;
  const start = section.indexOf("\n@@ ");
  return start < 0 ? "" : section.slice(start + 1);
}

function joinTypeChange(hunks: readonly string[]): string {
  const [gone = "", come = ""] = hunks;
  const before = /^@@ -(\S+) \+0,0 @@.*\n/.exec(gone);
  const after = /^@@ -0,0 \+(\S+) @@.*\n/.exec(come);
  if (before === null || after === null) return hunks.join("");
  const end = gone.endsWith("\n") ? "" : "\n";
  return `@@ -${before[1] ?? ""} +${after[1] ?? ""} @@\n${gone.slice(before[0].length)}${end}${come.slice(after[0].length)}`;
}

/** Both whole sides of a file, from a patch whose context is the whole file. */
export function sidesOf(plainPatch: string): { old: string; new: string } {
  const sides = { old: [] as string[], new: [] as string[] };
  let last: readonly string[][] = [];
  const start = plainPatch.indexOf("\n@@ ");
  const body = start < 0 ? "" : plainPatch.slice(plainPatch.indexOf("\n", start + 1) + 1);
  for (const line of body.split(/(?<=\n)/)) {
    const content = line.slice(1);
    if (line.startsWith("\\")) last.forEach(dropLastLineEnd);
    else if (line.startsWith("-")) (last = [sides.old]).forEach((side) => side.push(content));
    else if (line.startsWith("+")) (last = [sides.new]).forEach((side) => side.push(content));
    else (last = [sides.old, sides.new]).forEach((side) => side.push(content));
  }
  return { old: sides.old.join(""), new: sides.new.join("") };
}

function dropLastLineEnd(lines: string[]): void {
  const last = lines.pop();
  if (last !== undefined) lines.push(last.replace(/\n$/, ""));
}

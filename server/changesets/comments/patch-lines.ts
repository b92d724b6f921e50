/** One place of a patch where lines were taken out and put in. Counts may be 0; then the start is the line before. */
export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

/** The lines of both sides that a patch shows, by their number. */
export interface PatchLines {
  old: Map<number, string>;
  new: Map<number, string>;
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads the hunks of the patch of one file. Only what stands inside a hunk is a line of the file: a line is told by the
 * hunk's counts, so text that looks like a patch is taken for text.
 */
export function readPatch(patch: string): { hunks: Hunk[]; lines: PatchLines } {
  const lines: PatchLines = { old: new Map(), new: new Map() };
  const hunks: Hunk[] = [];
  const texts = patch.split("\n");
  for (let index = 0; index < texts.length;) {
    const hunk = readHead(texts[index++] ?? "");
    if (hunk === null) continue;
    hunks.push(hunk);
    let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
    let [oldLeft, newLeft] = [hunk.oldCount, hunk.newCount];
    while (index < texts.length && (oldLeft > 0 || newLeft > 0)) {
      const text = texts[index++] ?? "";
      const mark = text[0];
      if (mark === "\\") continue;
      if (mark !== "+") {
        lines.old.set(oldLine++, text.slice(1));
        oldLeft--;
      }
      if (mark !== "-") {
        lines.new.set(newLine++, text.slice(1));
        newLeft--;
      }
    }
  }
  return { hunks, lines };
}

function readHead(text: string): Hunk | null {
  const match = hunkHead.exec(text);
  if (match === null) return null;
  const [, oldStart, oldCount, newStart, newCount] = match;
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount ?? 1),
    newStart: Number(newStart),
    newCount: Number(newCount ?? 1),
  };
}

/** A line that the proposed side adds. */
export interface AddedLine {
  /** Counted from 1, in the proposed side. */
  line: number;
  text: string;
}

/** The lines that a patch of one file adds, without their line end. */
export function addedLinesOf(patch: string): AddedLine[] {
  const added: AddedLine[] = [];
  // Header lines come before the first hunk; in a hunk only a mark begins a line, so no content is taken for a header.
  let line: number | null = null;
  for (const text of patch.split("\n")) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)?.[1];
    if (start !== undefined) line = Number(start);
    else if (text.startsWith("diff --git ")) line = null;
    else if (line !== null && text.startsWith("+")) {
      added.push({ line, text: text.slice(1).replace(/\r$/, "") });
      line += 1;
    } else if (line !== null && text.startsWith(" ")) line += 1;
  }
  return added;
}

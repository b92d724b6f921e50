/** One row of a patch that is shown without any drawing of lines. */
export interface PlainRow {
  kind: "added" | "removed" | "context" | "heading" | "note";
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** The hunks of a patch, row by row, read with nothing but its own line numbers. */
export function plainRows(plainPatch: string): PlainRow[] {
  const rows: PlainRow[] = [];
  let oldLine = 0;
  let newLine = 0;
  let isInHunk = false;
  for (const line of plainPatch.split("\n")) {
    const text = line.slice(1).replace(/\r$/, "");
    const heading = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (heading !== null) {
      isInHunk = true;
      oldLine = Number(heading[1]);
      newLine = Number(heading[2]);
      rows.push({ kind: "heading", oldLine: null, newLine: null, text: line });
    } else if (!isInHunk || line === "") continue;
    else if (line.startsWith("+")) rows.push({ kind: "added", oldLine: null, newLine: newLine++, text });
    else if (line.startsWith("-")) rows.push({ kind: "removed", oldLine: oldLine++, newLine: null, text });
    else if (line.startsWith("\\"))
      rows.push({ kind: "note", oldLine: null, newLine: null, text: text.trim() });
    else rows.push({ kind: "context", oldLine: oldLine++, newLine: newLine++, text });
  }
  return rows;
}

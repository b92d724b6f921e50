/** Rows under their headings, each column as wide as its widest cell. */
export function formatTable(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map(formatCell));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** One line a field; what is absent is left out. */
export function formatRecord(record: object): string {
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`).join("\n");
}

/** Text from agents and repositories must not steer the terminal: control characters become visible. */
export function toPrintable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, (character) =>
    character === "\r" ? "" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return toPrintable(text).replaceAll("\n", " ");
}

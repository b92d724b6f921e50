/**
 * Rows as CSV, the first of them the names of the columns. Source: RFC 4180. A text that a spreadsheet would take for a
 * formula gets a quote before it, because names come from anybody.
 */
export function toCsvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Hands a text to the browser as a file. */
export function downloadCsv(name: string, text: string): void {
  const link = document.createElement("a");
  // Spreadsheets take a file without this mark for one of their own old encodings.
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

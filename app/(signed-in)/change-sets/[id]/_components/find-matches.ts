import type { LineRow } from "@/app/_diff/line-rows";
import type { LinePlace } from "@/app/_diff/places";

const matchesMax = 2_000;

export interface FoundLines {
  places: LinePlace[];
  /** There are more, which are not listed. */
  isCut: boolean;
}

/** Every line of the given files that holds a text, whatever its case. Two matches in one line are one place. */
export function findInFiles(
  files: readonly { path: string; rows: readonly LineRow[] }[],
  sought: string,
): FoundLines {
  const word = sought.toLowerCase();
  const places: LinePlace[] = [];
  if (word === "") return { places, isCut: false };
  for (const { path, rows } of files) {
    for (const row of rows) {
      if (!row.text.toLowerCase().includes(word)) continue;
      if (places.length === matchesMax) return { places, isCut: true };
      places.push({ path, side: row.side, startLine: row.line, endLine: row.line });
    }
  }
  return { places, isCut: false };
}

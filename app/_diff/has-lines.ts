import type { DiffFile } from "./places";

/** True for a file whose patch holds lines; of the others there is nothing to load. */
export function hasLines(file: DiffFile): boolean {
  const isText = file.kind === "text" || file.kind === "symlink";
  return isText && (file.insertions ?? 0) + (file.deletions ?? 0) > 0;
}

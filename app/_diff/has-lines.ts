import type { DiffFile } from "./places";

/** True for a file whose patch holds lines; of the others there is nothing to load. */
export function hasLines(file: DiffFile): boolean {
  // What was a file and is a submodule now has lost lines that nobody should miss.
  const isText =
    file.kind === "text" ||
    file.kind === "symlink" ||
    (file.kind === "submodule" && file.status === "type_changed");
  return isText && (file.insertions ?? 0) + (file.deletions ?? 0) > 0;
}

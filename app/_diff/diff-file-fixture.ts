import type { DiffFile } from "./places";

/** A file of a diff for tests: modified text, unless told otherwise. */
export function diffFile(path: string, how: Partial<DiffFile> = {}): DiffFile {
  const side = {
    mode: "100644",
    objectId: "0".repeat(40),
    sizeBytes: 100,
    encoding: "utf-8",
    lfs: null,
  } as const;
  return {
    status: "modified",
    path,
    displayPath: path,
    oldPath: path,
    oldDisplayPath: path,
    old: side,
    new: { ...side, objectId: "1".repeat(40) },
    similarity: null,
    kind: "text",
    insertions: 1,
    deletions: 1,
    flags: [],
    ...how,
  };
}

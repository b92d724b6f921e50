import type { DiffFile } from "@/server/git/types";

export type { DiffFile };

export type Side = "old" | "new";

/** Lines of one side of a file, both ends included. */
export interface LinePlace {
  path: string;
  side: Side;
  startLine: number;
  endLine: number;
}

/** Something that stands below a line of a file: a thread, an editor. `line` 0 is the place above the first line, for the whole file. */
export interface Note {
  /** Unique in its file. */
  key: string;
  side: Side;
  line: number;
}

/** By `DiffFile.path`. A file without notes has no entry. */
export type NotesByPath = ReadonlyMap<string, readonly Note[]>;

import type { LinePlace, Note } from "@/app/_diff/places";
import type { Draft } from "./draft-book";
import type { Anchor, Placement, Thread } from "./types";

/** Where a thread or a draft stands on the page. */
export type Spot =
  /** Below a line of the diff. */
  | { kind: "line"; place: LinePlace }
  /** At the top of a file: it is about the file, or its line is gone or is another now. */
  | { kind: "file"; path: string }
  /** Above all files: it is about the ChangeSet, or its file is gone. */
  | { kind: "top" };

/** The ids of a note's thread or draft. */
export const threadKey = (id: string): string => `thread:${id}`;
export const draftKey = (id: string): string => `draft:${id}`;

/** What the spots depend on besides the threads: the files on the page, and whether the base is its old side. */
interface Page {
  hasFile: (path: string) => boolean;
  isAgainstBase: boolean;
}

/** Where it stands. Lines that changed under it are no longer what it is about: it stands at the top of their file. */
export function spotOf(anchor: Anchor, placement: Placement, page: Page): Spot {
  const { status, path, startLine, endLine } = placement;
  if (path === null) return { kind: "top" };
  if (!page.hasFile(path)) return { kind: "top" };
  const side = anchor !== null && "side" in anchor ? anchor.side : null;
  if (side === null || startLine === null || endLine === null || (status !== "same" && status !== "moved")) {
    return { kind: "file", path };
  }
  if (side === "old" && !page.isAgainstBase) return { kind: "file", path };
  return { kind: "line", place: { path, side, startLine, endLine } };
}

/** What was begun on this page is where its target says. */
export function spotOfDraft({ target, placement }: Draft, page: Page): Spot | null {
  if (target.type !== "comment") return null;
  const { anchor } = target;
  if (placement !== null) return spotOf(anchor, placement, page);
  if (anchor === null) return { kind: "top" };
  const lines = "side" in anchor ? anchor : { startLine: null, endLine: null };
  const { startLine, endLine } = lines;
  return spotOf(anchor, { status: "same", path: anchor.path, startLine, endLine }, page);
}

/** The notes of the diff, by file, in the order in which they are to be read. */
export function notesOf(spots: readonly { key: string; spot: Spot }[]): ReadonlyMap<string, readonly Note[]> {
  const notes = new Map<string, Note[]>();
  for (const { key, spot } of spots) {
    if (spot.kind === "top") continue;
    const path = spot.kind === "line" ? spot.place.path : spot.path;
    const note: Note =
      spot.kind === "line"
        ? { key, side: spot.place.side, line: spot.place.endLine }
        : { key, side: "new", line: 0 };
    const list = notes.get(path);
    if (list === undefined) notes.set(path, [note]);
    else list.push(note);
  }
  return notes;
}

/** A thread that somebody still has to do something about. */
export function isUnresolved(thread: Pick<Thread, "state">): boolean {
  return thread.state === "open";
}

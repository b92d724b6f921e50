import type { Actor } from "../../access/types";

export const commentKinds = ["blocking", "question", "nit", "praise", "note"] as const;
export type CommentKind = (typeof commentKinds)[number];

export const threadStates = ["open", "resolved", "wont_do"] as const;
export type ThreadState = (typeof threadStates)[number];

export type DiffSideName = "old" | "new";

/** What a thread is about: the whole ChangeSet (null), a file, or lines of one side of it. `path` is a `DiffFile.path`. */
export type Anchor = null | { path: string } | LineAnchor;

export interface LineAnchor {
  path: string;
  side: DiffSideName;
  /** From 1, both ends included. */
  startLine: number;
  endLine: number;
}

/** The text of the lines that a thread is about when it was opened, and up to three lines around them. */
export interface AnchoredCode {
  lines: string[];
  before: string[];
  after: string[];
}

/** An anchor that was looked up in git. */
export interface PlacedAnchor {
  anchor: Anchor;
  /** What the file is called in the base; null where there is no file. */
  oldPath: string | null;
  code: AnchoredCode | null;
}

export interface CommentRecord {
  id: string;
  author: Actor;
  body: string;
  at: Date;
}

export interface ThreadRecord extends PlacedAnchor {
  id: string;
  changeSetId: string;
  seriesId: string;
  version: number;
  headCommit: string;
  kind: CommentKind;
  state: ThreadState;
  /** Who set the state; null while nobody has. */
  stateBy: Actor | null;
  createdAt: Date;
  comments: CommentRecord[];
}

export const placementStatuses = ["same", "moved", "changed", "line_gone", "file_gone", "whole"] as const;
export type PlacementStatus = (typeof placementStatuses)[number];

/**
 * Where a thread's lines are in another version. `same` and `moved`: these very lines. `changed`: what stands in their
 * place. `line_gone` and `file_gone`: nothing stands there any more. `whole`: it was never about lines.
 */
export interface Placement {
  status: PlacementStatus;
  path: string | null;
  startLine: number | null;
  endLine: number | null;
}

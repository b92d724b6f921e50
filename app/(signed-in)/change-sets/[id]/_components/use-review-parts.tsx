"use client";

import { useMemo, type ReactNode } from "react";
import type { LinePlace, Note, NotesByPath } from "../_diff/places";
import type { ChangeSetView, CommentPlace, NoteCount } from "./desk";
import { useViewed } from "./use-viewed";

/** What reviewers add to the diff: threads, drafts, marks, and the acts on the whole ChangeSet. */
export interface ReviewParts {
  notes: NotesByPath;
  renderNote: (path: string, note: Note, isOutOfView: boolean) => ReactNode;
  noteCount: (path: string) => NoteCount;
  /** The lines that threads stand at, in any order. */
  places: readonly LinePlace[];
  isViewed: (path: string) => boolean;
  setViewed: (path: string, isViewed: boolean) => void;
  comment: (place: CommentPlace) => void;
  /** What is said about the whole ChangeSet. */
  remarks: ReactNode;
}

const noNotes: NotesByPath = new Map();
const noCount: NoteCount = { total: 0, unresolved: 0 };

export function useReviewParts(changeSet: ChangeSetView): ReviewParts {
  const { isViewed, setViewed } = useViewed(changeSet.id);
  return useMemo(
    () => ({
      notes: noNotes,
      renderNote: () => null,
      noteCount: () => noCount,
      places: [],
      isViewed,
      setViewed,
      comment: () => undefined,
      remarks: null,
    }),
    [isViewed, setViewed],
  );
}

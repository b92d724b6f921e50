"use client";

import { useCallback, useMemo, useState, type ReactNode } from "react";
import type { LinePlace, Note, NotesByPath } from "../_diff/places";
import type { ChangeSetView, CommentPlace, NoteCount } from "./desk";

/** What reviewers add to the diff: threads, drafts, marks, and the acts on the whole ChangeSet. */
export interface ReviewParts {
  notes: NotesByPath;
  renderNote: (path: string, note: Note, isOutOfView: boolean) => ReactNode;
  noteCount: (path: string) => NoteCount;
  /** The lines that threads stand at, in the order of the page. */
  places: readonly LinePlace[];
  isViewed: (path: string) => boolean;
  setViewed: (path: string, isViewed: boolean) => void;
  comment: (place: CommentPlace) => void;
  /** What is said about the whole ChangeSet. */
  remarks: ReactNode;
}

const noNotes: NotesByPath = new Map();
const noCount: NoteCount = { total: 0, unresolved: 0 };

export function useReviewParts(_changeSet: ChangeSetView): ReviewParts {
  const [viewed, setViewedPaths] = useState<ReadonlySet<string>>(new Set());
  const isViewed = useCallback((path: string) => viewed.has(path), [viewed]);
  const setViewed = useCallback(
    (path: string, isNowViewed: boolean) =>
      setViewedPaths((before) => {
        const next = new Set(before);
        if (isNowViewed) next.add(path);
        else next.delete(path);
        return next;
      }),
    [],
  );
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

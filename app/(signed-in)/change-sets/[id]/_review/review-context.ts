"use client";

import { createContext, useContext } from "react";
import type { DraftBook } from "./draft-book";
import type { Anchor, ChangeSetView, Thread } from "./types";

/** What the parts of a review share. */
export interface ReviewState {
  changeSet: ChangeSetView;
  threads: readonly Thread[];
  book: DraftBook;
  /** The one that was gone to. */
  currentThreadId: string | null;
  /** Opens an editor for something new, or the one that is there for the same place. */
  begin: (anchor: Anchor) => void;
  reply: (threadId: string) => void;
  /** Shows where a thread or a draft stands in the diff. */
  goTo: (key: string) => void;
}

export const ReviewContext = createContext<ReviewState | null>(null);

export function useReviewState(): ReviewState {
  const state = useContext(ReviewContext);
  if (state === null) throw new Error("useReviewState stands outside of a review.");
  return state;
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "@/app/_client/api-provider";
import type { NotesByPath } from "@/app/_diff/places";
import type { DraftBook } from "./draft-book";
import { draftKey, isUnresolved, notesOf, spotOf, spotOfDraft, threadKey, type Spot } from "./notes-of";
import type { ChangeSetView, Thread } from "./types";
import { useDraftBook, useDrafts } from "./use-draft-book";

interface Page {
  changeSet: ChangeSetView;
  /** "base", or the ChangeSet whose head is the old side. */
  against: string;
  hasFile: (path: string) => boolean;
}

/** Threads and drafts of a review, and where each stands on the page. */
export interface ReviewData {
  threads: readonly Thread[];
  book: DraftBook;
  spots: ReadonlyMap<string, Spot>;
  notes: NotesByPath;
  noteCount: (path: string) => { total: number; unresolved: number };
  /** What stands above all files. */
  topThreads: readonly Thread[];
  topDraftIds: readonly string[];
  threadOf: (key: string) => Thread | undefined;
}

const noThreads: readonly Thread[] = [];
const noCount = { total: 0, unresolved: 0 };

export function useReviewData({ changeSet, against, hasFile }: Page): ReviewData {
  const api = useApi();
  const query = useQuery(api.comment.list.queryOptions({ changeSetId: changeSet.id }));
  const threads = query.data?.items ?? noThreads;
  const book = useDraftBook(changeSet);
  const drafts = useDrafts(book);
  // Where a draft stands does not follow from its text: typing moves nothing.
  const draftSpots = JSON.stringify(
    drafts.flatMap((draft) => {
      const spot = spotOfDraft(draft, { hasFile, isAgainstBase: against === "base" });
      return spot === null ? [] : [{ key: draftKey(draft.id), id: draft.id, spot }];
    }),
  );
  const placed = useMemo(() => {
    const page = { hasFile, isAgainstBase: against === "base" };
    const ofThreads = threads.map((thread) => ({
      key: threadKey(thread.id),
      thread,
      spot: spotOf(thread.anchor, thread.placement, page),
    }));
    const ofDrafts = JSON.parse(draftSpots) as { key: string; id: string; spot: Spot }[];
    const all = [...ofThreads, ...ofDrafts];
    const threadByKey = new Map(ofThreads.map(({ key, thread }) => [key, thread]));
    return {
      threadByKey,
      spots: new Map(all.map(({ key, spot }) => [key, spot])),
      notes: notesOf(all),
      counts: countByPath(ofThreads),
      topThreads: ofThreads.filter(({ spot }) => spot.kind === "top").map(({ thread }) => thread),
      topDraftIds: ofDrafts.filter(({ spot }) => spot.kind === "top").map(({ id }) => id),
    };
  }, [threads, draftSpots, against, hasFile]);
  const { counts, threadByKey, ...rest } = placed;
  const noteCount = useCallback((path: string) => counts.get(path) ?? noCount, [counts]);
  const threadOf = useCallback((key: string) => threadByKey.get(key), [threadByKey]);
  return { ...rest, threads, book, noteCount, threadOf };
}

function countByPath(
  threads: readonly { thread: Thread; spot: Spot }[],
): ReadonlyMap<string, { total: number; unresolved: number }> {
  const counts = new Map<string, { total: number; unresolved: number }>();
  for (const { thread, spot } of threads) {
    if (spot.kind === "top") continue;
    const path = spot.kind === "line" ? spot.place.path : spot.path;
    const { total, unresolved } = counts.get(path) ?? noCount;
    counts.set(path, { total: total + 1, unresolved: unresolved + (isUnresolved(thread) ? 1 : 0) });
  }
  return counts;
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { createDraftBook, type Draft, type DraftBook } from "./draft-book";
import { keepDraft, readKeptDrafts, releaseDraft } from "./draft-storage";
import type { ChangeSetView, SavedDraft } from "./types";

/** The drafts of whoever looks, for the whole series. They are saved as they are typed. */
export function useDraftBook(changeSet: Pick<ChangeSetView, "id" | "seriesId">): DraftBook {
  const api = useApi();
  const client = useApiClient();
  const { seriesId } = changeSet;
  const [book] = useState(() =>
    createDraftBook({
      save: async ({ id, changeSetId, headCommit, target, body }) => {
        await client.draft.save.mutate({ id, changeSetId, headCommit, target, body });
      },
      remove: async (id) => {
        await client.draft.delete.mutate({ id });
      },
      keep: (draft) => keepDraft(seriesId, draft),
      release: releaseDraft,
      later: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    }),
  );
  const query = useQuery(api.draft.list.queryOptions({ changeSetId: changeSet.id }));
  const saved = query.data?.items;
  useEffect(() => {
    if (saved === undefined) return;
    // What the server never got counts for more than what it has.
    book.load(readKeptDrafts(seriesId));
    book.load(saved.map(toDraft));
  }, [book, saved, seriesId]);
  return book;
}

export function useDrafts(book: DraftBook): readonly Draft[] {
  return useSyncExternalStore(book.subscribe, book.list, book.list);
}

/** Undefined once it was sent or thrown away. */
export function useDraft(book: DraftBook, id: string): Draft | undefined {
  const read = (): Draft | undefined => book.get(id);
  return useSyncExternalStore(book.subscribe, read, read);
}

function toDraft({ savedAt: _savedAt, placement, target, ...draft }: SavedDraft): Draft {
  return { ...draft, target, placement, status: "saved", isOpen: false };
}

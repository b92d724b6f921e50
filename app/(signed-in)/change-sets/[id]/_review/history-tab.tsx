"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { useApi } from "@/app/_client/api-provider";
import { Dialog } from "@/app/_ui/dialog";
import { LoadMore } from "@/app/_ui/load-more";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { historyWords } from "./history-words";
import { useReviewState } from "./review-context";
import type { HistoryEntry } from "./types";

interface HistoryTabProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Who did what to which version, and when. Nothing is ever taken out of it. */
export function HistoryTab({ open, onOpenChange }: HistoryTabProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="History" className="max-w-2xl">
      <History />
    </Dialog>
  );
}

function History() {
  const { changeSet } = useReviewState();
  const api = useApi();
  const query = useInfiniteQuery(
    api.changeSet.history.infiniteQueryOptions(
      { id: changeSet.id, limit: 100 },
      { getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined },
    ),
  );
  return (
    <QueryState query={query} awaited="the history" skeleton={<SkeletonRows rows={5} />}>
      {({ pages }) => {
        const entries = pages.flatMap(({ items }) => items);
        return (
          <>
            <ol className="divide-y divide-line text-sm">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            <LoadMore query={query} shown={entries.length} />
          </>
        );
      }}
    </QueryState>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5">
      <span className="inline-flex min-w-0 items-center gap-1 font-medium">
        {entry.actor === null ? (
          <>
            <Bot className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
            {entry.what === "proposed" ? "A Run" : "Rhumbatron"}
          </>
        ) : (
          <UntrustedText text={entry.actor.name} />
        )}
      </span>
      <span className="min-w-0 wrap-anywhere">{historyWords(entry)}</span>
      <span className="ml-auto shrink-0 text-xs text-muted">
        version {entry.version} · <RelativeTime at={entry.at} />
      </span>
    </li>
  );
}

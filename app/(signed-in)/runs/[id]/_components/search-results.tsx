"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApiClient } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { LoadMore } from "@/app/_ui/load-more";
import { MarkedText } from "./marked-text";
import type { LogTarget } from "./use-log-target";

/** So many places are looked for before a reader is asked whether to go on. */
const placesAtOnce = 50;

const kindWords: Readonly<Record<string, string>> = {
  tool: "file",
  command: "command",
  output: "output",
  refused: "refused",
  note: "note",
};

interface SearchResultsProps {
  runId: string;
  text: string;
  onGoTo: (target: LogTarget) => void;
}

/** Where the whole log, as the server has it, holds a text. */
export function SearchResults({ runId, text, onGoTo }: SearchResultsProps) {
  const client = useApiClient();
  const query = useInfiniteQuery({
    queryKey: ["run-search", runId, text],
    queryFn: ({ pageParam, signal }) =>
      client.run.search.query({ runId, text, after: pageParam, limit: placesAtOnce }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextCursor,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  // A page may have found nothing yet: the server looks at a bounded part of the log at a time.
  const goesOn = hasNextPage && !isFetching && !isError && items.length < placesAtOnce;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const count = items.reduce((sum, { matchCount }) => sum + matchCount, 0);
  return (
    <div className="border-b border-line">
      <p role="status" className="flex items-center gap-2 px-3 py-1.5 text-xs text-muted tabular-nums">
        {isError ? (
          <>
            <span className="text-bad">{describeApiError(query.error).message}</span>
            <Button size="sm" onClick={() => void query.refetch()}>
              Try again
            </Button>
          </>
        ) : (
          describeCount(count, isFetching || goesOn, hasNextPage)
        )}
      </p>
      {items.length === 0 ? null : (
        <div className="max-h-64 overflow-y-auto overscroll-contain border-t border-line">
          <ol className="divide-y divide-line">
            {items.flatMap((item) =>
              item.excerpts.map((excerpt, index) => (
                <li key={`${item.seq} ${index}`}>
                  <button
                    type="button"
                    onClick={() => onGoTo({ seq: item.seq, text: plainExcerpt(excerpt) })}
                    className="flex w-full items-baseline gap-3 px-3 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2"
                  >
                    <span className="w-16 shrink-0 text-xs text-muted">
                      {kindWords[item.kind] ?? item.kind}
                    </span>
                    <span className="min-w-0 flex-1 truncate font-mono text-xs">
                      <MarkedText text={excerpt} wanted={text} />
                    </span>
                    <span className="shrink-0 text-xs text-muted tabular-nums">e{item.seq}</span>
                  </button>
                </li>
              )),
            )}
          </ol>
          {goesOn ? null : <LoadMore query={query} shown={items.length} />}
        </div>
      )}
    </div>
  );
}

function describeCount(count: number, isSearching: boolean, hasMore: boolean): string {
  const found = `${count.toLocaleString("en")} ${count === 1 ? "match" : "matches"}`;
  if (isSearching) return count === 0 ? "Searching the whole log" : `${found} so far`;
  if (count === 0) return "Nothing in the whole log matches";
  return hasMore ? `${found} in the part that was searched` : `${found} in the whole log`;
}

/** An excerpt as it stands in its line. */
function plainExcerpt(excerpt: string): string {
  return excerpt.replace(/^…|…$/g, "");
}

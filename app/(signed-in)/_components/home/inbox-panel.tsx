"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { Button } from "@/app/_ui/button";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import type { GroupWords } from "./groups";
import { InboxRow } from "./inbox-row";
import type { HomeFilter } from "./use-home-filter";
import { useShownRows } from "./use-shown-rows";

interface InboxPanelProps {
  words: GroupWords;
  filter: HomeFilter;
}

/** One group. It is asked for alone, so that one that fails leaves the others. */
export function InboxPanel({ words, filter }: InboxPanelProps) {
  const query = useInboxGroup(words.group, filter);
  const pages = query.data?.pages ?? [];
  const fresh = pages.flatMap(({ items }) => items);
  const count = pages.at(-1)?.count;
  const key = query.isPlaceholderData ? "" : `${filter.projectId} ${filter.search} ${pages.length}`;
  const { rows, newCount, accept } = useShownRows(fresh, key);
  const isFiltered = filter.projectId !== null || filter.search !== null;
  return (
    <Panel
      title={words.title}
      {...(count === undefined ? {} : { count })}
      actions={
        newCount === 0 ? undefined : (
          <Button size="sm" variant="ghost" className="text-accent" onClick={accept}>
            {newCount} new
          </Button>
        )
      }
    >
      <QueryState
        query={query}
        awaited="the inbox"
        skeleton={<SkeletonRows rows={words.group === "needs_review" ? 3 : 1} rowClassName="h-14" />}
      >
        {() =>
          rows.length === 0 ? (
            <p className="px-3 py-2.5 text-sm text-muted">
              {isFiltered ? "Nothing here matches the filter." : words.empty}
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map(({ row, isGone }) => (
                <InboxRow key={row.id} row={row} isGone={isGone} />
              ))}
            </ul>
          )
        }
      </QueryState>
      <LoadMore query={query} shown={rows.length} {...(count === undefined ? {} : { total: count })} />
    </Panel>
  );
}

/** A group under a filter; asked twice on one page, it is fetched once. */
export function useInboxGroup(group: GroupWords["group"], { projectId, search }: HomeFilter) {
  const api = useApi();
  return useInfiniteQuery({
    ...api.inbox.list.infiniteQueryOptions(
      {
        group,
        ...(projectId === null ? {} : { projectId }),
        ...(search === null ? {} : { search }),
      },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
    placeholderData: keepPreviousData,
  });
}

"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "@/app/_client/api-provider";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { eventWords } from "./event-words";

const shownMax = 12;

export function RecentEvents() {
  const api = useApi();
  const query = useQuery(api.event.list.queryOptions({ newestFirst: true, limit: shownMax }));
  return (
    <Panel title="What happened">
      <QueryState
        query={query}
        awaited="the last events"
        skeleton={<SkeletonRows rows={6} rowClassName="h-8" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="px-3 py-2.5 text-sm text-muted">Nothing happened yet.</p>}
      >
        {({ items }) => (
          <ol className="py-1">
            {items.map((event) => {
              const { what, name, href } = eventWords(event);
              const words = (
                <>
                  {what} {name === null ? null : <UntrustedText text={name} className="text-ink" />}
                </>
              );
              return (
                <li key={event.id} className="flex items-baseline gap-2 px-3 py-1 text-xs text-muted">
                  {href === null ? (
                    <span className="min-w-0 flex-1 truncate">{words}</span>
                  ) : (
                    <Link href={href} className="min-w-0 flex-1 truncate hover:underline">
                      {words}
                    </Link>
                  )}
                  <RelativeTime at={event.at} />
                </li>
              );
            })}
          </ol>
        )}
      </QueryState>
    </Panel>
  );
}

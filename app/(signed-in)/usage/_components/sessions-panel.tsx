"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { readAll } from "@/app/_client/read-all";
import { formatSeconds } from "@/app/_ui/amount-words";
import { Badge } from "@/app/_ui/badge";
import { CsvButton } from "@/app/_ui/csv-button";
import { EmptyState } from "@/app/_ui/empty-state";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { toCsv, type Session } from "../_rules/csv";

/** Seconds of open sessions grow; so often they are looked at again. */
const lookMs = 10_000;

const columns = [
  { name: "Run" },
  { name: "Project, Change" },
  { name: "State" },
  { name: "Opened" },
  { name: "Wall", isNumber: true },
  { name: "Tail", isNumber: true },
  { name: "Charged", isNumber: true },
];

/** Every metered time with a share in the month, newest first, and all of them as CSV. */
export function SessionsPanel({ month }: { month: string }) {
  const api = useApi();
  const client = useApiClient();
  const query = useInfiniteQuery({
    ...api.usage.sessions.infiniteQueryOptions({ month }, { getNextPageParam: (page) => page.nextCursor }),
    refetchInterval: (known) =>
      known.state.data?.pages.some((page) => page.items.some(({ isSettled }) => !isSettled)) === true
        ? lookMs
        : false,
  });
  return (
    <Panel
      title="Sessions"
      actions={
        <CsvButton
          label={`CSV of ${month}`}
          fileName={`rhumbatron-usage-${month}.csv`}
          read={async () =>
            toCsv(month, await readAll((place) => client.usage.sessions.query({ month, ...place })))
          }
        />
      }
    >
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={5} />}
        awaited="the sessions"
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={
          <EmptyState title="No workspace was open in this month">
            A session begins when an agent opens a workspace, and is settled when the workspace sleeps or
            ends.
          </EmptyState>
        }
      >
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          return (
            <>
              <div
                className="overflow-x-auto"
                tabIndex={0}
                role="region"
                aria-label="Sessions, scrolls sideways"
              >
                <table className="w-full min-w-3xl text-left text-xs">
                  <thead className="text-muted">
                    <tr className="border-b border-line">
                      {columns.map(({ name, isNumber }) => (
                        <th
                          key={name}
                          scope="col"
                          className={
                            isNumber === true ? "px-3 py-2 text-right font-medium" : "px-3 py-2 font-medium"
                          }
                        >
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody className="divide-y divide-line">
                    {items.map((session) => (
                      <SessionRow key={session.id} session={session} />
                    ))}
                  </tbody>
                </table>
              </div>
              <LoadMore query={query} shown={items.length} />
            </>
          );
        }}
      </QueryState>
    </Panel>
  );
}

const stateWords = {
  reserved: { word: "starting", tone: "accent" },
  open: { word: "open", tone: "accent" },
  settled: { word: "settled", tone: "neutral" },
  released: { word: "never opened", tone: "neutral" },
} as const;

function SessionRow({ session }: { session: Session }) {
  const { runId, projectId, projectName, changeId, changeTitle, state, openedAt, isSettled } = session;
  const { word, tone } = stateWords[state];
  const reserved = session.months.reduce((sum, { reservedSeconds }) => sum + reservedSeconds, 0);
  return (
    <tr>
      <td className="px-3 py-2">
        <Link href={`/runs/${runId}`} className="font-mono hover:underline">
          {runId.slice(0, 8)}
        </Link>
      </td>
      <td className="max-w-72 px-3 py-2">
        <span className="flex min-w-0 gap-1.5">
          <Link href={`/projects/${projectId}`} className="truncate text-muted hover:underline">
            <UntrustedText text={projectName} />
          </Link>
          <Link href={`/changes/${changeId}`} className="truncate hover:underline">
            <UntrustedText text={changeTitle} />
          </Link>
        </span>
      </td>
      <td className="px-3 py-2">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td className="px-3 py-2">
        {openedAt === null ? isSettled ? "never" : "not yet" : <RelativeTime at={openedAt} />}
      </td>
      <td className="px-3 py-2 text-right tabular-nums">{formatSeconds(session.wallSeconds)}</td>
      <td className="px-3 py-2 text-right tabular-nums">{formatSeconds(session.tailSeconds)}</td>
      <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums">
        {isSettled ? (
          formatSeconds(session.chargedSeconds)
        ) : (
          <span
            className="text-muted"
            title="Not settled: what it would be charged if it ended now, and what it holds"
          >
            {formatSeconds(session.chargedSeconds)} so far, holds {formatSeconds(reserved)}
          </span>
        )}
      </td>
    </tr>
  );
}

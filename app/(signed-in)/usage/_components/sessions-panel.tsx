"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { formatSeconds } from "@/app/_ui/amount-words";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { useToast } from "@/app/_ui/toast";
import { toCsv, type Session } from "../_rules/csv";

/** Every metered time, newest first, and the month's as CSV. */
export function SessionsPanel({ month }: { month: string }) {
  const api = useApi();
  const query = useInfiniteQuery(
    api.usage.sessions.infiniteQueryOptions({}, { getNextPageParam: (page) => page.nextCursor }),
  );
  return (
    <Panel title="Sessions, newest first" actions={<CsvButton month={month} />}>
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={5} />}
        awaited="the sessions"
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={<EmptyState title="No workspace was opened yet" />}
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
                <table className="w-full min-w-2xl text-left text-xs">
                  <thead className="text-muted">
                    <tr className="border-b border-line">
                      {["Run", "State", "Opened", "Wall", "Tail", "Charged"].map((name) => (
                        <th key={name} scope="col" className="px-4 py-2 font-medium">
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

function SessionRow({ session }: { session: Session }) {
  const reserved = session.months.reduce((sum, { reservedSeconds }) => sum + reservedSeconds, 0);
  return (
    <tr>
      <td className="px-4 py-2">
        <Link href={`/runs/${session.runId}`} className="font-mono hover:underline">
          {session.runId.slice(0, 8)}
        </Link>
      </td>
      <td className="px-4 py-2">
        <Badge tone={session.state === "open" ? "accent" : "neutral"}>{session.state}</Badge>
      </td>
      <td className="px-4 py-2">
        {session.openedAt === null ? "not yet" : <RelativeTime at={session.openedAt} />}
      </td>
      <td className="px-4 py-2 tabular-nums">
        {session.wallSeconds === null ? "running" : formatSeconds(session.wallSeconds)}
      </td>
      <td className="px-4 py-2 tabular-nums">{formatSeconds(session.tailSeconds)}</td>
      <td className="px-4 py-2 tabular-nums">
        {session.chargedSeconds === null
          ? `holds ${formatSeconds(reserved)}`
          : formatSeconds(session.chargedSeconds)}
      </td>
    </tr>
  );
}

const pageSize = 200;

function CsvButton({ month }: { month: string }) {
  const client = useApiClient();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const sessions: Session[] = [];
      for (let cursor: string | null = null; ;) {
        const page: { items: Session[]; nextCursor: string | null } = await client.usage.sessions.query({
          limit: pageSize,
          ...(cursor === null ? {} : { cursor }),
        });
        sessions.push(...page.items);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([toCsv(month, sessions)], { type: "text/csv" }));
      link.download = `rhumbatron-usage-${month}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch {
      toast({ title: "The sessions could not be read. Try again.", tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" busy={isBusy} onClick={() => void download()}>
      <Download aria-hidden="true" /> CSV of {month}
    </Button>
  );
}

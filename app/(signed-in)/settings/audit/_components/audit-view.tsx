"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { toCsvText } from "@/app/_client/csv";
import { readAll } from "@/app/_client/read-all";
import { useSettled } from "@/app/_client/use-settled";
import { Badge } from "@/app/_ui/badge";
import { CsvButton } from "@/app/_ui/csv-button";
import { EmptyState } from "@/app/_ui/empty-state";
import { TextInput } from "@/app/_ui/field";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { AppRouter } from "@/server/api/root";
import { factsOf, hrefOfSubject } from "../_rules/audit-words";

type Entry = inferRouterOutputs<AppRouter>["audit"]["list"]["items"][number];

function toAuditCsv(entries: readonly Entry[]): string {
  const columns = ["id", "at", "actor_kind", "actor", "actor_name", "action", "subject", "data"];
  const rows = entries.map(({ id, at, actor, action, subject, data }) => [
    id,
    at,
    actor?.kind ?? "server",
    actor?.id ?? null,
    actor?.name ?? null,
    action,
    subject,
    JSON.stringify(data),
  ]);
  return toCsvText([columns, ...rows]);
}

/** Who did what, newest first. Entries are only ever added. */
export function AuditView() {
  const api = useApi();
  const client = useApiClient();
  const [typed, setTyped] = useState("");
  const text = useSettled(typed.trim());
  const filter = text === "" ? {} : { text };
  const query = useInfiniteQuery({
    ...api.audit.list.infiniteQueryOptions(filter, { getNextPageParam: (page) => page.nextCursor }),
    // What matched before stays in its place until the answer is there.
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Audit log"
      actions={
        <CsvButton
          label={text === "" ? "CSV of everything" : "CSV of what matches"}
          fileName="rhumbatron-audit.csv"
          read={async () =>
            toAuditCsv(await readAll((place) => client.audit.list.query({ ...filter, ...place })))
          }
        />
      }
    >
      <div className="border-b border-line px-3 py-2">
        <TextInput
          type="search"
          aria-label="Search the whole audit log"
          placeholder="Search the whole log: a name, an act, an id, a value"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={8} />}
        awaited="the audit log"
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={
          <EmptyState
            title={text === "" ? "Nobody has changed anything yet" : "Nothing in the log matches"}
          />
        }
      >
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          return (
            <>
              <ul className="divide-y divide-line">
                {items.map((entry) => (
                  <AuditRow key={entry.id} entry={entry} />
                ))}
              </ul>
              <LoadMore query={query} shown={items.length} />
            </>
          );
        }}
      </QueryState>
    </Panel>
  );
}

function AuditRow({ entry: { at, actor, action, subject, data } }: { entry: Entry }) {
  const href = hrefOfSubject(action, subject);
  const text = <UntrustedText text={subject} />;
  const facts = factsOf(data);
  return (
    <li className="grid items-baseline gap-x-4 gap-y-0.5 px-3 py-2 text-xs sm:grid-cols-[minmax(0,17rem)_10rem_minmax(0,1fr)_auto]">
      <span className="flex min-w-0 items-baseline gap-2 text-sm">
        <Badge tone={actor?.kind === "person" ? "accent" : "neutral"}>{actor?.kind ?? "server"}</Badge>
        <span className="truncate font-medium">
          <UntrustedText text={actor?.name ?? "Rhumbatron"} />
        </span>
      </span>
      <code className="font-mono wrap-anywhere">{action}</code>
      <span className="min-w-0 text-muted wrap-anywhere">
        <span className="font-mono">
          {href === null ? (
            text
          ) : (
            <Link href={href} className="hover:underline">
              {text}
            </Link>
          )}
        </span>
        {facts === null ? (
          <details>
            <summary className="cursor-pointer">Details</summary>
            <pre className="mt-1 overflow-x-auto rounded-md bg-sunken p-2 font-mono whitespace-pre-wrap wrap-anywhere">
              <UntrustedText text={JSON.stringify(data, null, 2)} multiline />
            </pre>
          </details>
        ) : (
          facts.map(({ name, value, whole }) => (
            <span key={name} title={whole} className="ml-3 inline-block">
              {name} <UntrustedText text={value} className="text-ink" />
            </span>
          ))
        )}
      </span>
      <span className="text-muted sm:text-right">
        <RelativeTime at={at} />
      </span>
    </li>
  );
}

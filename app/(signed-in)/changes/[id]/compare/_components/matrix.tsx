"use client";

import { useQueries } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { ReactNode } from "react";
import type { AppRouter } from "@/server/api/root";
import { useApi } from "@/app/_client/api-provider";
import { Seconds } from "@/app/_ui/amounts";
import { Badge } from "@/app/_ui/badge";
import { CommitHash } from "@/app/_ui/commit-hash";
import { DiffStat } from "@/app/_ui/diff-stat";
import { Panel } from "@/app/_ui/panel";
import { ChangeSetStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { Label } from "../../_rules/comparable";

export type Compared = inferRouterOutputs<AppRouter>["changeSet"]["compare"]["changeSets"][number];

interface MatrixProps {
  changeSets: readonly Compared[];
  labels: readonly Label[];
}

interface Row {
  name: string;
  cell: (changeSet: Compared, place: number) => ReactNode;
}

/** One row a question, one column an attempt. */
export function Matrix({
  changeSets,
  labels,
}: {
  changeSets: readonly Compared[];
  labels: readonly Label[];
}) {
  const api = useApi();
  const highlights = useQueries({
    queries: changeSets.map(({ id }) => api.changeSet.highlights.queryOptions({ id })),
  });
  const bases = new Set(changeSets.map(({ baseCommit }) => baseCommit));
  const rows: readonly Row[] = [
    ...wordRows(changeSets, labels),
    {
      name: "Look here first",
      cell: (_, place) => {
        const query = highlights[place];
        if (query?.data === undefined) {
          return <span className="text-muted">{query?.isError === true ? "not known" : "counting"}</span>;
        }
        return `${query.data.items.length}${query.data.truncated ? " or more" : ""}`;
      },
    },
  ];
  return (
    <Panel title="Attempts" count={changeSets.length}>
      {bases.size === 1 ? null : (
        <p className="border-b border-line px-3 py-2 text-xs text-warn">
          They began at different commits: each is counted against its own base, and what differs between two
          may come from the branch.
        </p>
      )}
      <Table changeSets={changeSets} labels={labels} rows={rows} />
    </Panel>
  );
}

function Table({ changeSets, labels, rows }: MatrixProps & { rows: readonly Row[] }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Attempts side by side">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left align-top">
            <th scope="col" className="sticky left-0 bg-surface px-3 py-2 font-normal">
              <span className="sr-only">Question</span>
            </th>
            {changeSets.map((changeSet, place) => (
              <th key={changeSet.id} scope="col" className="min-w-48 px-3 py-2 font-normal">
                <span className="block text-xs text-muted">
                  {labels[place]?.name} · <UntrustedText text={labels[place]?.detail ?? ""} />
                </span>
                <Link
                  href={`/change-sets/${changeSet.id}`}
                  className="font-medium wrap-anywhere hover:underline"
                >
                  <UntrustedText text={changeSet.title} />
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ name, cell }) => (
            <tr key={name} className="align-top">
              <th
                scope="row"
                className="sticky left-0 bg-surface px-3 py-1.5 text-left text-xs font-normal text-muted"
              >
                {name}
              </th>
              {changeSets.map((changeSet, place) => (
                <td key={changeSet.id} className="px-3 py-1.5 tabular-nums wrap-anywhere">
                  {cell(changeSet, place)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the comparison itself tells. */
function wordRows(changeSets: readonly Compared[], labels: readonly Label[]): Row[] {
  return [
    { name: "State", cell: ({ state }) => <ChangeSetStateBadge state={state} /> },
    {
      name: "Its own words",
      cell: ({ summary }) =>
        summary === "" ? (
          <span className="text-muted">none</span>
        ) : (
          <span className="line-clamp-4 whitespace-pre-wrap">
            <UntrustedText text={summary} multiline />
          </span>
        ),
    },
    {
      name: "Size",
      cell: ({ filesChanged, insertions, deletions }) => (
        <DiffStat filesChanged={filesChanged} insertions={insertions} deletions={deletions} />
      ),
    },
    { name: "Files only here", cell: ({ filesOnlyThere }) => filesOnlyThere },
    {
      name: "Same files as",
      cell: ({ tree }, place) => {
        const same = labels.filter((_, other) => other !== place && changeSets[other]?.tree === tree);
        if (same.length === 0) return <span className="text-muted">no other</span>;
        return <Badge tone="accent">{same.map(({ name }) => name).join(", ")}</Badge>;
      },
    },
    { name: "Base", cell: ({ baseCommit }) => <CommitHash commit={baseCommit} /> },
    {
      name: "Unresolved threads",
      cell: ({ unresolvedThreads }) => unresolvedThreads,
    },
    {
      name: "Charged",
      cell: ({ chargedSeconds, isSettled }) => (
        <>
          <Seconds value={chargedSeconds} />
          {isSettled ? "" : " so far"}
        </>
      ),
    },
  ];
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { EmptyState } from "@/app/_ui/empty-state";
import { PageHeader } from "@/app/_ui/page-header";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { useNow } from "@/app/_ui/relative-time";
import { Select } from "@/app/_ui/select";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { daysOf, sumBy } from "../_rules/sums";
import { CapLine } from "./cap-line";
import { DayChart } from "./day-chart";
import { SessionsPanel } from "./sessions-panel";
import { SumTable } from "./sum-table";

/** Where the seconds of a month went. Months and days are those of UTC. */
export function UsageView() {
  const api = useApi();
  const months = useQuery(api.usage.history.queryOptions({}));
  const now = useNow();
  const present = now?.toISOString().slice(0, 7) ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? present;
  const known = months.data?.items.map((item) => item.month) ?? [];
  const options = [...new Set([...(present === null ? [] : [present]), ...known])];
  return (
    <>
      <PageHeader
        title="Usage"
        meta="Sandbox seconds. Months and days are those of UTC; a day is the one on which a session ended. Open sessions are reserved, not yet used."
        actions={
          month === null ? null : (
            <Select
              label="Month, UTC"
              value={month}
              onValueChange={setChosen}
              options={options.map((value) => ({ value, label: value }))}
              className="w-32"
            />
          )
        }
      />
      {month === null ? <SkeletonRows rows={6} /> : <MonthUsage month={month} />}
    </>
  );
}

function MonthUsage({ month }: { month: string }) {
  const api = useApi();
  const current = useQuery(api.usage.current.queryOptions({ month }));
  const daily = useQuery(api.usage.daily.queryOptions({ month }));
  return (
    <div className="flex flex-col gap-6">
      <Panel title="Cap">
        <QueryState query={current} skeleton={<SkeletonRows rows={2} />} awaited="the meter">
          {(usage) => <CapLine usage={usage} />}
        </QueryState>
      </Panel>
      <Panel title="Charged by day">
        <QueryState
          query={daily}
          skeleton={<SkeletonRows rows={5} />}
          awaited="the days"
          isEmpty={({ items }) => items.length === 0}
          empty={<EmptyState title="Nothing was charged in this month" />}
        >
          {({ items }) => <DayChart days={daysOf(month, items)} />}
        </QueryState>
      </Panel>
      <div className="grid gap-6 lg:grid-cols-2">
        <Panel title="By Project">
          <QueryState query={daily} skeleton={<SkeletonRows rows={3} />}>
            {({ items }) => (
              <SumTable
                rows={sumBy(items, ({ projectId, projectName }) => ({
                  id: projectId,
                  name: projectName,
                  within: null,
                }))}
                hrefOf={(id) => `/projects/${id}`}
              />
            )}
          </QueryState>
        </Panel>
        <Panel title="By Change">
          <QueryState query={daily} skeleton={<SkeletonRows rows={3} />}>
            {({ items }) => (
              <SumTable
                rows={sumBy(items, ({ changeId, changeTitle, projectName }) => ({
                  id: changeId,
                  name: changeTitle,
                  within: projectName,
                }))}
                hrefOf={(id) => `/changes/${id}`}
              />
            )}
          </QueryState>
        </Panel>
      </div>
      <SessionsPanel month={month} />
    </div>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi } from "@/app/_client/api-provider";
import { PageHeader } from "@/app/_ui/page-header";
import { FirstSteps } from "./first-steps";
import { groups } from "./groups";
import { HomeFilterBar } from "./home-filter-bar";
import { InboxPanel, useInboxGroup } from "./inbox-panel";
import { LiveSandboxes } from "./live-sandboxes";
import { MonthPanel } from "./month-panel";
import { RecentEvents } from "./recent-events";
import { useHomeFilter } from "./use-home-filter";

/** What waits for whom, what runs, and what it costs. */
export function HomePage() {
  const api = useApi();
  const { filter, change } = useHomeFilter();
  const projects = useQuery(api.project.list.queryOptions({ limit: 200 }));
  useCountInTitle();
  return (
    <>
      <PageHeader title="Home" actions={<HomeFilterBar filter={filter} onChange={change} />} />
      {projects.data?.items.length === 0 ? <FirstSteps /> : null}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {groups.map((words) => (
            <InboxPanel key={words.group} words={words} filter={filter} />
          ))}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <LiveSandboxes />
          <MonthPanel />
          <RecentEvents />
        </div>
      </div>
    </>
  );
}

const unfiltered = { projectId: null, search: null };

/** A tab that is not looked at still says how much waits for a review. */
function useCountInTitle(): void {
  const query = useInboxGroup("needs_review", unfiltered);
  const count = query.data?.pages.at(-1)?.count ?? 0;
  useEffect(() => {
    document.title = count === 0 ? "Home · Rhumbatron" : `(${count}) Home · Rhumbatron`;
  }, [count]);
}

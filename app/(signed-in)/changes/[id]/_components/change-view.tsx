"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { Seconds } from "@/app/_ui/amounts";
import { PageHeader } from "@/app/_ui/page-header";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { ChangeSetsPanel } from "./change-sets-panel";
import { IntentsPanel } from "./intents-panel";
import { RunsPanel } from "./runs-panel";
import { Slots } from "./slots";
import { TasksPanel } from "./tasks-panel";
import type { ChangeDetail } from "../_rules/change-detail";

/** Seconds of open workspaces grow without an event. */
const refreshMs = 10_000;

/** One Change: its goal, its slots, and everything that was done for it. */
export function ChangeView({ id }: { id: string }) {
  const api = useApi();
  const query = useQuery({
    ...api.change.get.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data?.isSettled === false ? refreshMs : false),
  });
  return (
    <QueryState
      isPage
      query={query}
      skeleton={<SkeletonRows rows={8} rowClassName="h-14" />}
      awaited="the Change"
    >
      {(change) => <Change change={change} />}
    </QueryState>
  );
}

function Change({ change }: { change: ChangeDetail }) {
  const api = useApi();
  const project = useQuery(api.project.get.queryOptions({ id: change.projectId }));
  return (
    <>
      <PageHeader
        title={change.title}
        crumbs={[
          { label: "Projects", href: "/projects" },
          { label: project.data?.name ?? "Project", href: `/projects/${change.projectId}` },
        ]}
        meta={
          <>
            <span>
              made <RelativeTime at={change.createdAt} />
            </span>
            <span>
              <Seconds value={change.chargedSeconds} /> charged{change.isSettled ? "" : " so far"}
            </span>
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <Panel title="Goal">
          <div className="px-3 py-3 whitespace-pre-wrap wrap-anywhere">
            {change.description === "" ? (
              <span className="text-muted">Nothing was written down beyond the title.</span>
            ) : (
              <UntrustedText text={change.description} multiline />
            )}
          </div>
        </Panel>
        <Slots change={change} />
        <TasksPanel change={change} />
        <ChangeSetsPanel change={change} />
        <RunsPanel change={change} />
        <IntentsPanel change={change} />
      </div>
    </>
  );
}

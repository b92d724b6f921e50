"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { Seconds } from "@/app/_ui/amounts";
import { CommitHash } from "@/app/_ui/commit-hash";
import { PageHeader } from "@/app/_ui/page-header";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { RunStateBadge } from "@/app/_ui/state-badge";
import { Charged } from "./charged";
import { RunActions } from "./run-actions";
import { RunNotice } from "./run-notice";
import { Timeline } from "./timeline";
import type { RunDetail } from "../_rules/run-detail";

/** Seconds of an open Run grow without an event. */
const refreshMs = 5_000;

/** One attempt of an agent, from its first call to its end. */
export function RunView({ id }: { id: string }) {
  const api = useApi();
  const query = useQuery({
    ...api.run.get.queryOptions({ runId: id }),
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? refreshMs : false),
  });
  return (
    <QueryState isPage query={query} skeleton={<SkeletonRows rows={8} />} awaited="the Run">
      {(run) => <Run run={run} />}
    </QueryState>
  );
}

function Run({ run }: { run: RunDetail }) {
  const api = useApi();
  const task = useQuery(api.task.get.queryOptions({ id: run.taskId }));
  const change = useQuery(api.change.get.queryOptions({ id: run.changeId }));
  const changeSet = change.data?.changeSets.find(({ runId }) => runId === run.id);
  return (
    <>
      <PageHeader
        title={task.data?.title ?? "Run"}
        crumbs={[{ label: change.data?.title ?? "Change", href: `/changes/${run.changeId}` }]}
        meta={
          <>
            <RunStateBadge state={run.state} />
            <span>
              opened <RelativeTime at={run.openedAt} />
            </span>
            <span>
              <Seconds value={run.chargedSeconds} /> charged{run.isSettled ? "" : " so far"}
            </span>
          </>
        }
        actions={<RunActions run={run} changeSetId={changeSet?.id ?? null} />}
      />
      <RunNotice run={run} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_16rem] lg:gap-6">
        <div className="order-first flex h-fit flex-col gap-4 lg:order-last">
          <Charged run={run} />
          <Facts run={run} />
        </div>
        <Timeline key={run.id} run={run} />
      </div>
    </>
  );
}

function Facts({ run }: { run: RunDetail }) {
  const facts: [string, React.ReactNode][] = [
    ["Runtime", run.runtime ?? "not started yet"],
    ["Began at", run.baseCommit === null ? "not cloned yet" : <CommitHash key="b" commit={run.baseCommit} />],
    [
      "Result",
      run.resultCommit === null ? (
        run.endedAt === null ? (
          "none yet"
        ) : (
          "none"
        )
      ) : (
        <CommitHash key="r" commit={run.resultCommit} />
      ),
    ],
    ["Wall time", <Seconds key="w" value={run.wallSeconds} />],
    ["Restores", run.restoreCount],
    ["Last call", <RelativeTime key="l" at={run.lastActivityAt} />],
    ["Image", run.imageDigest === null ? "none yet" : run.imageDigest.slice(0, 19)],
    ["Fork", run.forkName],
  ];
  const list = (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-xs lg:grid-cols-1">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      <div className="hidden rounded-lg border border-line bg-surface p-4 lg:block">{list}</div>
      {/* On a narrow page the log is what people come for. */}
      <details className="rounded-lg border border-line bg-surface px-4 py-2 lg:hidden">
        <summary className="text-sm font-semibold">Facts</summary>
        <div className="py-2">{list}</div>
      </details>
    </>
  );
}

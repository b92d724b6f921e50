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
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { RunActions } from "./run-actions";
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
            {run.endReason === null ? null : <UntrustedText text={run.endReason} />}
          </>
        }
        actions={<RunActions run={run} changeSetId={changeSet?.id ?? null} />}
      />
      <div className="grid gap-6 lg:grid-cols-[1fr_16rem]">
        <Timeline runId={run.id} hasEnded={run.endedAt !== null} />
        <Facts run={run} />
      </div>
    </>
  );
}

function Facts({ run }: { run: RunDetail }) {
  const facts: [string, React.ReactNode][] = [
    ["State", stateWords[run.state]],
    ["Runtime", run.runtime ?? "not started yet"],
    ["Began at", run.baseCommit === null ? "not cloned yet" : <CommitHash key="b" commit={run.baseCommit} />],
    ["Result", run.resultCommit === null ? "none yet" : <CommitHash key="r" commit={run.resultCommit} />],
    ["Wall time", <Seconds key="w" value={run.wallSeconds} />],
    ["Restores", run.restoreCount],
    ["Last call", <RelativeTime key="l" at={run.lastActivityAt} />],
    ["Image", run.imageDigest === null ? "none yet" : run.imageDigest.slice(0, 19)],
    ["Fork", run.forkName],
  ];
  return (
    <dl className="order-first grid h-fit grid-cols-2 gap-x-4 gap-y-2 rounded-lg border border-line bg-surface p-4 text-xs lg:order-none lg:grid-cols-1">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const stateWords: Record<RunDetail["state"], string> = {
  opening: "Its workspace is being made",
  open: "The agent can work",
  asleep: "It sleeps; the next call wakes it, and every edit is there again",
  completing: "Its result is being kept",
  proposed: "It proposed a ChangeSet",
  no_changes: "It ended without a change",
  failed: "It failed",
  closed: "It was closed without a result",
};

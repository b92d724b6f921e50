"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { EmptyState } from "@/app/_ui/empty-state";
import { PageHeader } from "@/app/_ui/page-header";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { GonePanel } from "./gone-panel";
import { SandboxCard } from "./sandbox-card";
import { useSamples } from "./use-samples";

/** How often the host is looked at while the page is seen. */
const lookMs = 2_500;

/** What is live on this host, what it uses, and what went away. */
export function SandboxesView() {
  const api = useApi();
  const query = useQuery({
    ...api.sandbox.list.queryOptions({}),
    refetchInterval: lookMs,
    refetchIntervalInBackground: false,
  });
  const samples = useSamples(query.data);
  const live = query.data?.items ?? [];
  const count = query.data === undefined ? undefined : `${live.length} of ${query.data.liveMax}`;
  return (
    <>
      <PageHeader
        title="Sandboxes"
        meta={
          query.data === undefined ? null : (
            <>
              <span>{query.data.warmCount} warm, started ahead and counted apart</span>
              {live.length >= query.data.liveMax ? (
                <span className="text-warn">
                  The host is full: the next open is refused until a Sandbox is idle or stopped.
                </span>
              ) : null}
            </>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <Panel title="Live" {...(count === undefined ? {} : { count })}>
          <QueryState
            query={query}
            skeleton={<SkeletonRows rows={3} rowClassName="h-24" />}
            awaited="sandboxd"
            isEmpty={() => live.length === 0}
            empty={
              <EmptyState title="No Sandbox is live">
                One starts when an agent opens a workspace, and goes when nothing happens in it.
              </EmptyState>
            }
          >
            {() => (
              <ul className="divide-y divide-line">
                {live.map((sandbox) => (
                  <SandboxCard key={sandbox.id} sandbox={sandbox} samples={samples.get(sandbox.id) ?? []} />
                ))}
              </ul>
            )}
          </QueryState>
        </Panel>
        <GonePanel sandboxes={query.data?.gone ?? []} />
      </div>
    </>
  );
}

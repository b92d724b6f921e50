"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { AppRouter } from "@/server/api/root";
import { useApi } from "@/app/_client/api-provider";
import { formatBytes } from "@/app/_ui/amounts";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { SlotStrip } from "./slot-strip";

type Sandbox = inferRouterOutputs<AppRouter>["sandbox"]["list"]["items"][number];

/** What a Sandbox uses changes without an event. */
const refreshMs = 10_000;

export function LiveSandboxes() {
  const api = useApi();
  const query = useQuery({ ...api.sandbox.list.queryOptions(), refetchInterval: refreshMs });
  return (
    <Panel title="Live sandboxes">
      <QueryState
        query={query}
        awaited="what runs on this host"
        skeleton={<SkeletonRows rows={2} rowClassName="h-10" />}
      >
        {({ items, liveMax }) => (
          <>
            <div className="flex h-9 items-center px-3">
              <SlotStrip taken={items.length} max={liveMax} label="in use on this host" />
            </div>
            <ul>
              {items.map((sandbox) => (
                <SandboxLine key={sandbox.id} sandbox={sandbox} />
              ))}
            </ul>
          </>
        )}
      </QueryState>
    </Panel>
  );
}

function SandboxLine({ sandbox }: { sandbox: Sandbox }) {
  const { projectName, runs, usage, state } = sandbox;
  return (
    <li className="border-t border-line px-3 py-1.5">
      <div className="flex items-baseline gap-2 text-sm">
        <Link href="/sandboxes" className="min-w-0 flex-1 truncate hover:underline">
          <UntrustedText text={projectName} />
        </Link>
        <span className="text-xs text-muted">{state}</span>
      </div>
      <div className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
        <span>{runs.length === 1 ? "1 Run" : `${runs.length} Runs`}</span>
        {usage === null ? null : (
          <>
            <span>{Math.round(usage.cpuPercent)} % CPU</span>
            <span>{formatBytes(usage.memoryBytes)}</span>
          </>
        )}
      </div>
    </li>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { CapPanel } from "./cap-panel";

const sourceWords = { setting: "set here", environment: "environment", default: "default" } as const;

/** The monthly cap, and what every other setting is and where it comes from. */
export function GeneralView() {
  const api = useApi();
  const query = useQuery(api.setting.list.queryOptions({}));
  return (
    <>
      <CapPanel />
      <Panel title="Everything else">
        <p className="border-b border-line px-3 py-2 text-xs text-muted">
          These are set by environment variables, or in a file .env, and count after the next npm run
          stack:up.
        </p>
        <QueryState query={query} skeleton={<SkeletonRows rows={8} />} awaited="the settings">
          {({ items }) => (
            <dl className="divide-y divide-line">
              {items
                .filter(({ name }) => name !== "SANDBOX_MONTHLY_SECONDS")
                .map(({ name, value, source }) => (
                  <div key={name} className="grid gap-x-4 px-3 py-2 sm:grid-cols-[20rem_1fr_auto]">
                    <dt className="font-mono text-xs wrap-anywhere">{name}</dt>
                    <dd className="wrap-anywhere">
                      {value === "" ? <span className="text-muted">not set</span> : value}
                    </dd>
                    <dd>
                      <Badge tone={source === "default" ? "neutral" : "accent"}>{sourceWords[source]}</Badge>
                    </dd>
                  </div>
                ))}
            </dl>
          )}
        </QueryState>
      </Panel>
    </>
  );
}

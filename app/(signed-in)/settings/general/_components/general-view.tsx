"use client";

import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useApi } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { groupSettings, type SettingRow } from "../_rules/setting-groups";
import { CapPanel } from "./cap-panel";

const capName = "SANDBOX_MONTHLY_SECONDS";

/** The monthly cap, and what every other setting is and where it comes from. */
export function GeneralView() {
  const api = useApi();
  const query = useQuery(api.setting.list.queryOptions({}));
  return (
    <>
      <CapPanel />
      <p className="text-sm text-muted">
        What follows is ruled by the environment of the server: by variables, or by a file .env. A change
        counts after the next <code className="font-mono text-xs text-ink">npm run stack:up</code>.
      </p>
      <QueryState query={query} skeleton={<SettingsSkeleton />} awaited="the settings">
        {({ items }) => (
          <div className="flex flex-col gap-6">
            {groupSettings(items.filter(({ name }) => name !== capName)).map(({ title, rows }) => (
              <Panel key={title} title={title}>
                <dl className="divide-y divide-line">
                  {rows.map((row) => (
                    <Row key={row.name} row={row} />
                  ))}
                </dl>
              </Panel>
            ))}
          </div>
        )}
      </QueryState>
    </>
  );
}

function Row({ row: { name, label, words, source } }: { row: SettingRow }) {
  return (
    <div className="grid items-baseline gap-x-4 px-3 py-1.5 sm:grid-cols-[18rem_minmax(0,1fr)_auto]">
      <dt>{label}</dt>
      <dd className="tabular-nums wrap-anywhere">
        {words === "" ? <span className="text-muted">not set</span> : words}
      </dd>
      <dd className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <code className="font-mono">{name}</code>
        {source === "default" ? (
          <span>default</span>
        ) : (
          <Badge tone="neutral" icon={Lock}>
            set by the environment
          </Badge>
        )}
      </dd>
    </div>
  );
}

function SettingsSkeleton() {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <SkeletonRows rows={8} />
    </div>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import type { HealthReport } from "@/server/api/health/health";
import { useApi } from "@/app/_client/api-provider";
import { PageHeader } from "@/app/_ui/page-header";
import { QueryState } from "@/app/_ui/query-state";
import { StatusMark } from "@/app/_ui/status-mark";
import { HealthSkeleton } from "./health-skeleton";

const refreshMs = 5_000;

const parts: { name: keyof HealthReport["components"]; title: string; role: string }[] = [
  { name: "database", title: "Database", role: "keeps every record" },
  { name: "engine", title: "Container engine", role: "runs the sandboxes" },
  { name: "image", title: "Sandbox image", role: "what every sandbox starts from" },
  { name: "git", title: "Git service", role: "holds repositories and forks" },
  { name: "egress", title: "Egress proxy", role: "the only way out of a sandbox" },
];

/** What works and what does not, looked at anew every few seconds. */
export function HealthPanel() {
  const api = useApi();
  const query = useQuery({ ...api.health.get.queryOptions(), refetchInterval: refreshMs });
  return (
    <>
      <PageHeader
        title={titleOf(query.data)}
        meta={
          query.data === undefined
            ? "Looking at every part"
            : `Version ${query.data.version}, looked at every ${refreshMs / 1_000} s`
        }
      />
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <QueryState query={query} awaited="every part to say how it is" skeleton={<HealthSkeleton />}>
          {(report) => (
            <ul className="divide-y divide-line">
              {parts.map(({ name, title, role }) => (
                <HealthRow key={name} title={title} role={role} health={report.components[name]} />
              ))}
            </ul>
          )}
        </QueryState>
      </div>
    </>
  );
}

function titleOf(report: HealthReport | undefined): string {
  if (report === undefined) return "Health";
  const brokenCount = parts.filter(({ name }) => report.components[name].status !== "ok").length;
  return brokenCount === 0 ? "Everything works" : `${brokenCount} of ${parts.length} parts need a hand`;
}

interface HealthRowProps {
  title: string;
  role: string;
  health: HealthReport["components"][keyof HealthReport["components"]];
}

function HealthRow({ title, role, health }: HealthRowProps) {
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[13rem_1fr_auto]">
      <div>
        <h2 className="font-medium">{title}</h2>
        <p className="text-xs text-muted">{role}</p>
      </div>
      <p className="col-span-2 row-start-2 wrap-anywhere text-muted sm:col-span-1 sm:row-start-1 sm:col-start-2">
        {health.detail}
      </p>
      <StatusMark status={health.status} className="col-start-2 row-start-1 sm:col-start-3" />
    </li>
  );
}

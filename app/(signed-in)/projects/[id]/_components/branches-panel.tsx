"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { CommitHash } from "@/app/_ui/commit-hash";
import { EmptyState } from "@/app/_ui/empty-state";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ProjectDetail } from "../_rules/project-detail";

/** The branches of the canonical repository. */
export function BranchesPanel({ project }: { project: ProjectDetail }) {
  const api = useApi();
  const query = useQuery(api.project.branches.queryOptions({ id: project.id }));
  return (
    <Panel title="Branches" {...(query.data === undefined ? {} : { count: query.data.items.length })}>
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={2} />}
        awaited="the branches"
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title="No branch yet">The first push makes one.</EmptyState>}
      >
        {({ items }) => (
          <ul className="divide-y divide-line">
            {items.map((branch) => (
              <li key={branch.name} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2">
                <span className="font-mono text-xs wrap-anywhere">
                  <UntrustedText text={branch.name} />
                </span>
                {branch.isDefault ? <Badge tone="neutral">default</Badge> : null}
                <span className="min-w-0 flex-1 truncate text-muted">
                  <UntrustedText text={branch.subject} />
                </span>
                <CommitHash commit={branch.commit} />
                <span className="text-xs text-muted">
                  <RelativeTime at={branch.at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}

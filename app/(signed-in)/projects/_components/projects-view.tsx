"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { useSession } from "@/app/_client/session";
import { Button } from "@/app/_ui/button";
import { CommitHash } from "@/app/_ui/commit-hash";
import { EmptyState } from "@/app/_ui/empty-state";
import { LoadMore } from "@/app/_ui/load-more";
import { PageHeader } from "@/app/_ui/page-header";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { ProjectStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { NewProjectDialog } from "./new-project-dialog";

/** Every Project, and the way to a new one. */
export function ProjectsView() {
  const api = useApi();
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery(
    api.project.list.infiniteQueryOptions({}, { getNextPageParam: (page) => page.nextCursor }),
  );
  const create = can("admin") ? (
    <Button variant="primary" onClick={() => setOpen(true)}>
      <Plus aria-hidden="true" /> New Project
    </Button>
  ) : null;
  return (
    <>
      <PageHeader title="Projects" actions={create} />
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={5} rowClassName="h-14" />}
        awaited="the list of Projects"
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={
          <EmptyState title="There is no Project yet" action={create}>
            A Project is one git repository and the Sandbox that its agents share.
          </EmptyState>
        }
      >
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          return (
            <>
              <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
                {items.map((project) => (
                  <li key={project.id}>
                    <Link
                      href={`/projects/${project.id}`}
                      className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-sunken"
                    >
                      <span className="min-w-0 font-medium wrap-anywhere">
                        <UntrustedText text={project.name} />
                      </span>
                      <ProjectStateBadge state={project.state} />
                      <span className="col-span-2 flex flex-wrap gap-x-4 text-xs text-muted">
                        <span>
                          {project.defaultBranch}{" "}
                          {project.headCommit === null ? (
                            "without a commit"
                          ) : (
                            <CommitHash commit={project.headCommit} />
                          )}
                        </span>
                        <span>
                          made <RelativeTime at={project.createdAt} />
                        </span>
                        {project.stateDetail === null ? null : <UntrustedText text={project.stateDetail} />}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              <LoadMore query={query} shown={items.length} />
            </>
          );
        }}
      </QueryState>
      {isOpen ? <NewProjectDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

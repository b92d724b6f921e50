"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight, GitBranch } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Seconds } from "@/app/_ui/amounts";
import { CommitHash } from "@/app/_ui/commit-hash";
import { CopyButton } from "@/app/_ui/copy-button";
import { nameHiddenCharacters } from "@/app/_ui/hidden-characters";
import { RelativeTime } from "@/app/_ui/relative-time";
import { ChangeSetStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ChangeSetView } from "./desk";

interface ReviewBarProps {
  changeSet: ChangeSetView;
  /** Files viewed, threads, drafts. */
  counts: ReactNode;
  /** The one main act of this state. */
  action: ReactNode;
}

/** What is judged, where it came from, and what can be done: always on the screen. */
export function ReviewBar({ changeSet, counts, action }: ReviewBarProps) {
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-1.5">
      <div className="min-w-0 flex-1 basis-72">
        <Crumbs changeSet={changeSet} />
        <div className="flex min-w-0 items-center gap-2">
          <h1
            className="min-w-0 truncate text-lg font-semibold tracking-tight"
            title={nameHiddenCharacters(changeSet.title, "line")}
          >
            <UntrustedText text={changeSet.title} />
          </h1>
          <ChangeSetStateBadge state={changeSet.state} />
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0 text-xs text-muted">
          <Origin changeSet={changeSet} />
          {counts}
        </div>
      </div>
      <div className="ml-auto flex items-center gap-2 empty:hidden">{action}</div>
    </header>
  );
}

function Crumbs({ changeSet }: { changeSet: ChangeSetView }) {
  return (
    <nav aria-label="Breadcrumb" className="hidden min-h-4.5 text-xs text-muted sm:block">
      <ol className="flex min-w-0 items-center gap-1">
        <Crumb href={`/projects/${changeSet.projectId}`} text={changeSet.projectName} />
        <ChevronRight className="size-3 shrink-0" aria-hidden="true" />
        <Crumb href={`/changes/${changeSet.changeId}`} text={changeSet.changeTitle} />
      </ol>
    </nav>
  );
}

function Crumb({ href, text }: { href: string; text: string }) {
  return (
    <li className="min-w-0 truncate">
      <Link href={href} className="hover:text-ink hover:underline">
        <UntrustedText text={text} />
      </Link>
    </li>
  );
}

/** Which commit goes where, and what it cost to make. */
function Origin({ changeSet }: { changeSet: ChangeSetView }) {
  const api = useApi();
  const run = useQuery(api.run.get.queryOptions({ runId: changeSet.runId }));
  return (
    <>
      <span className="inline-flex min-w-0 items-center gap-1">
        <GitBranch className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="hidden items-center gap-1 sm:inline-flex">
          <span className="font-mono" title={changeSet.forkName}>
            {changeSet.forkName.slice(0, 11)}
          </span>
          <CopyButton text={changeSet.forkName} label="Copy the name of the fork" />
        </span>
        <span aria-hidden="true">→</span>
        <span className="sr-only">into</span>
        <UntrustedText text={changeSet.branch} className="font-mono" />
      </span>
      <span className="inline-flex items-center gap-1">
        <CommitHash commit={changeSet.headCommit} />
      </span>
      <RelativeTime at={changeSet.createdAt} />
      <span>
        <Link href={`/runs/${changeSet.runId}`} className="text-accent underline underline-offset-2">
          Run
        </Link>
        {run.data === undefined ? null : (
          <>
            {" "}
            of <Seconds value={run.data.chargedSeconds} />
          </>
        )}
      </span>
    </>
  );
}

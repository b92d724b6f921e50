"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { CommitHash } from "@/app/_ui/commit-hash";
import { DiffStat } from "@/app/_ui/diff-stat";
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
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-2">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex min-w-0 items-center gap-2">
          <h1 className="min-w-0 truncate text-lg font-semibold tracking-tight" title={changeSet.title}>
            <UntrustedText text={changeSet.title} />
          </h1>
          <ChangeSetStateBadge state={changeSet.state} />
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs text-muted">
          <span className="inline-flex items-center gap-1">
            Version {changeSet.version}
            <CommitHash commit={changeSet.headCommit} />
          </span>
          <Link href={`/runs/${changeSet.runId}`} className="text-accent underline-offset-2 hover:underline">
            Run
          </Link>
          <DiffStat
            insertions={changeSet.insertions}
            deletions={changeSet.deletions}
            filesChanged={changeSet.filesChanged}
          />
          {counts}
        </div>
      </div>
      <div className="ml-auto flex items-center gap-2">{action}</div>
    </header>
  );
}

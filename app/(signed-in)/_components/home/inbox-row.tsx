import { MessageSquare } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatSeconds } from "@/app/_ui/amounts";
import { Badge } from "@/app/_ui/badge";
import { DiffStat } from "@/app/_ui/diff-stat";
import { RelativeTime } from "@/app/_ui/relative-time";
import { RunStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { InboxRow as Row } from "./groups";

/** One thing that waits, or went on lately: what it is, where, from whom, how large, how long, how much. */
export function InboxRow({ row, isGone }: { row: Row; isGone: boolean }) {
  const { changeSet, run } = row;
  const href = changeSet === null ? `/runs/${run.id}` : `/change-sets/${changeSet.id}`;
  return (
    <li className="relative px-3 py-2 hover:bg-sunken">
      <div className="flex items-start gap-3">
        <Link href={href} className="min-w-0 flex-1 font-medium wrap-anywhere after:absolute after:inset-0">
          <UntrustedText text={changeSet?.title ?? row.taskTitle} className="line-clamp-2" />
        </Link>
        <span className="flex shrink-0 items-center gap-2 pt-0.5 text-xs text-muted">
          {isGone ? <Badge tone="neutral">Moved on</Badge> : <State row={row} />}
          <span className="w-16 text-right">
            <RelativeTime at={row.at} />
          </span>
        </span>
      </div>
      <div className="mt-0.5 flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-xs text-muted">
        <Place row={row} />
        <span className="wrap-anywhere">
          {row.agentName === null ? "a person" : <UntrustedText text={row.agentName} />}
          {changeSet === null ? null : ` · v${changeSet.version}`}
        </span>
        {changeSet === null ? null : <DiffStat {...changeSet} />}
        {changeSet === null || changeSet.unresolvedThreads === 0 ? null : (
          <span className="inline-flex items-center gap-1 text-warn">
            <MessageSquare className="size-3" aria-hidden="true" />
            {changeSet.unresolvedThreads} unresolved
          </span>
        )}
        <span className="tabular-nums" title="What the whole Change was charged up to now">
          {row.isSettled ? "" : "about "}
          {formatSeconds(row.chargedSeconds)}
        </span>
        <span className="tabular-nums">
          {row.slots.open} of {row.slots.max} sandboxes open
        </span>
      </div>
      {run.endReason === null || changeSet !== null ? null : (
        <p className="mt-0.5 line-clamp-2 text-xs text-muted">
          <UntrustedText text={run.endReason} />
        </p>
      )}
    </li>
  );
}

function Place({ row }: { row: Row }) {
  return (
    <span className="line-clamp-2 min-w-0 wrap-anywhere">
      <RowLink href={`/projects/${row.projectId}`}>
        <UntrustedText text={row.projectName} />
      </RowLink>
      {" / "}
      <RowLink href={`/changes/${row.changeId}`}>
        <UntrustedText text={row.changeTitle} />
      </RowLink>
    </span>
  );
}

/** Stands above the link that covers the row. */
function RowLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="relative z-1 hover:text-ink hover:underline">
      {children}
    </Link>
  );
}

const endWords: Record<string, string> = { fail_task: "Agent gave up", lost: "Lost", expired: "Expired" };

/** Only what the group does not say already. */
function State({ row: { changeSet, run } }: { row: Row }) {
  if (changeSet === null) {
    if (run.endKind === null) return <RunStateBadge state={run.state} />;
    return <Badge tone="bad">{endWords[run.endKind] ?? "Failed"}</Badge>;
  }
  if (changeSet.state === "merge_failed") {
    return <Badge tone="bad">{changeSet.mergeOutcome === "conflict" ? "Conflict" : "Merge failed"}</Badge>;
  }
  if (changeSet.state === "approved" || changeSet.state === "mergeable") {
    return changeSet.mergeOutcome === "base_moved" ? (
      <Badge tone="warn">The branch moved</Badge>
    ) : (
      <Badge tone="good">Waits for a merge</Badge>
    );
  }
  return null;
}

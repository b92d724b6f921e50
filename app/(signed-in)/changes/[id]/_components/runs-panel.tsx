"use client";

import Link from "next/link";
import { Seconds } from "@/app/_ui/amounts";
import { EmptyState } from "@/app/_ui/empty-state";
import { Panel } from "@/app/_ui/panel";
import { RelativeTime } from "@/app/_ui/relative-time";
import { RunStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ChangeDetail } from "../_rules/change-detail";
import { titleOfTask } from "./slots";

/** The Runs of a Change, newest first, with what each was charged. */
export function RunsPanel({ change }: { change: ChangeDetail }) {
  const runs = [...change.runs].reverse();
  return (
    <Panel title="Runs" count={runs.length}>
      {runs.length === 0 ? (
        <EmptyState title="No Run yet">An agent with a token of this Project opens one on a Task.</EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {runs.map((run) => (
            <li key={run.id}>
              <Link
                href={`/runs/${run.id}`}
                className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 px-3 py-2.5 hover:bg-sunken sm:grid-cols-[8.5rem_1fr_auto]"
              >
                <RunStateBadge state={run.state} />
                <span className="min-w-0 wrap-anywhere">
                  <UntrustedText text={titleOfTask(change, run.taskId)} />
                  {run.endReason === null ? null : (
                    <span className="block text-xs text-muted">
                      <UntrustedText text={run.endReason} />
                    </span>
                  )}
                </span>
                <span className="col-span-2 text-xs text-muted sm:col-span-1 sm:text-right">
                  <RelativeTime at={run.openedAt} /> · <Seconds value={run.chargedSeconds} />
                  {run.isSettled ? "" : " so far"}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

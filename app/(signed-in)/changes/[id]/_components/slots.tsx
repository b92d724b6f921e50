"use client";

import Link from "next/link";
import { Panel } from "@/app/_ui/panel";
import { Seconds } from "@/app/_ui/amounts";
import { RelativeTime } from "@/app/_ui/relative-time";
import { RunStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ChangeDetail } from "../_rules/change-detail";

/** The places for open workspaces, side by side, with who holds each. */
export function Slots({ change }: { change: ChangeDetail }) {
  const { max, open, workspaces } = change.slots;
  const emptyCount = Math.max(0, max - workspaces.length);
  return (
    <Panel title="Slots" count={`${open} of ${max} open`}>
      <ol className="grid gap-3 p-3 sm:grid-cols-2 lg:grid-cols-4">
        {workspaces.map((workspace) => (
          <li key={workspace.runId} className="rounded-md border border-line bg-surface">
            <Link
              href={`/runs/${workspace.runId}`}
              className="flex h-full flex-col gap-1 p-3 hover:bg-sunken"
            >
              <RunStateBadge state={workspace.state} />
              <span className="font-medium wrap-anywhere">
                <UntrustedText text={titleOfTask(change, workspace.taskId)} />
              </span>
              <span className="text-xs text-muted">
                opened <RelativeTime at={workspace.openedAt} /> ·{" "}
                <Seconds value={change.runs.find(({ id }) => id === workspace.runId)?.chargedSeconds ?? 0} />
              </span>
            </Link>
          </li>
        ))}
        {Array.from({ length: emptyCount }, (_, index) => (
          <li
            key={`empty-${index}`}
            className="flex min-h-20 items-center justify-center rounded-md border border-dashed border-line p-3 text-xs text-muted"
          >
            Free
          </li>
        ))}
      </ol>
      {emptyCount === 0 ? (
        <p className="border-t border-line px-3 py-2 text-xs text-muted">
          Every slot is taken: the next open is refused, and its agent writes an Intent instead. A slot gets
          free when its Run completes, fails, is closed or is stopped.
        </p>
      ) : null}
    </Panel>
  );
}

/** The title of a Task of this Change. */
export function titleOfTask(change: ChangeDetail, taskId: string): string {
  return change.tasks.find(({ id }) => id === taskId)?.title ?? "Task";
}

"use client";

import { Panel } from "@/app/_ui/panel";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ChangeDetail } from "../_rules/change-detail";
import { titleOfTask } from "./slots";

/** What agents wrote down where a workspace was refused. */
export function IntentsPanel({ change }: { change: ChangeDetail }) {
  if (change.intents.length === 0) return null;
  return (
    <Panel title="Intents" count={change.intents.length}>
      <ul className="divide-y divide-line">
        {change.intents.map((intent) => (
          <li key={intent.id} className="flex flex-col gap-1 px-3 py-2.5">
            <p className="font-medium wrap-anywhere">
              <UntrustedText text={intent.title} />
            </p>
            <p className="whitespace-pre-wrap wrap-anywhere">
              <UntrustedText text={intent.body} multiline />
            </p>
            <p className="text-xs text-muted">
              <UntrustedText text={titleOfTask(change, intent.taskId)} /> ·{" "}
              {intent.refusalId === null ? "without a refusal" : "after a refused open"} ·{" "}
              <RelativeTime at={intent.createdAt} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { CopyButton } from "@/app/_ui/copy-button";
import { EmptyState } from "@/app/_ui/empty-state";
import { Panel } from "@/app/_ui/panel";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ChangeDetail } from "../_rules/change-detail";
import { NewTaskDialog, type TaskKind } from "./new-task-dialog";

/** The Tasks of a Change, and what an agent has to be told to take one. */
export function TasksPanel({ change }: { change: ChangeDetail }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Tasks"
      count={change.tasks.length}
      actions={
        <Button size="sm" variant="primary" onClick={() => setOpen(true)}>
          <Plus aria-hidden="true" /> New Task
        </Button>
      }
    >
      {change.tasks.length === 0 ? (
        <EmptyState title="No Task yet">A Task is what an agent takes and works on in a Run.</EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {change.tasks.map((task) => (
            <li key={task.id} className="flex flex-col gap-1 px-3 py-2.5">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge tone="neutral">{task.kind}</Badge>
                <span className="min-w-0 flex-1 font-medium wrap-anywhere">
                  <UntrustedText text={task.title} />
                </span>
                <CopyButton text={task.id} label="Copy the Task's id" />
              </div>
              {task.instructions === "" ? null : (
                <p className="whitespace-pre-wrap text-muted wrap-anywhere">
                  <UntrustedText text={task.instructions} multiline />
                </p>
              )}
              <Instructions taskId={task.id} kind={task.kind} />
            </li>
          ))}
        </ul>
      )}
      {isOpen ? <NewTaskDialog changeId={change.id} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function Instructions({ taskId, kind }: { taskId: string; kind: TaskKind }) {
  if (kind === "design" || kind === "review" || kind === "document") return null;
  const overHttp = `POST /api/trpc/workspace.open {"taskId":"${taskId}"}`;
  const overMcp = `open_workspace {"taskId":"${taskId}"}`;
  return (
    <details className="text-xs text-muted">
      <summary className="cursor-pointer">How an agent takes it</summary>
      <div className="mt-2 flex flex-col gap-2">
        {[
          ["Over HTTP, with its token as bearer", overHttp],
          ["Over MCP, at /mcp", overMcp],
        ].map(([label = "", command = ""]) => (
          <div key={label} className="flex items-start gap-2">
            <code className="min-w-0 flex-1 rounded-md bg-sunken px-2 py-1 font-mono wrap-anywhere">
              {command}
            </code>
            <CopyButton text={command} label={`Copy: ${label}`} />
          </div>
        ))}
      </div>
    </details>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { CopyButton } from "@/app/_ui/copy-button";
import { Dialog } from "@/app/_ui/dialog";
import { EmptyState } from "@/app/_ui/empty-state";
import { Field, TextArea, TextInput } from "@/app/_ui/field";
import { Panel } from "@/app/_ui/panel";
import { Select } from "@/app/_ui/select";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ChangeDetail } from "../_rules/change-detail";

const kinds = [
  { value: "implement", label: "implement: opens a workspace" },
  { value: "migrate", label: "migrate: opens a workspace" },
  { value: "test", label: "test: opens a workspace" },
  { value: "design", label: "design: no workspace" },
  { value: "review", label: "review: no workspace" },
  { value: "document", label: "document: no workspace" },
] as const;

type TaskKind = (typeof kinds)[number]["value"];

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
            <li key={task.id} className="flex flex-col gap-1 px-4 py-2.5">
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

function NewTaskDialog({ changeId, onClose }: { changeId: string; onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<TaskKind>("implement");
  const [title, setTitle] = useState("");
  const [instructions, setInstructions] = useState("");
  const create = useMutation({
    ...api.task.create.mutationOptions(),
    onSuccess: async () => {
      await queryClient.invalidateQueries(api.change.pathFilter());
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="New Task"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="new-task" busy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form
        id="new-task"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ changeId, kind, title, instructions });
        }}
      >
        <Field label="Kind">
          <Select label="Kind" value={kind} onValueChange={setKind} options={kinds} />
        </Field>
        <Field label="Title">
          <TextInput
            required
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        </Field>
        <Field label="Instructions" hint="What the agent reads: what to do, and how it will be judged.">
          <TextArea rows={6} value={instructions} onChange={(event) => setInstructions(event.target.value)} />
        </Field>
        {create.isError ? (
          <p role="alert" className="text-bad wrap-anywhere">
            {describeApiError(create.error).message}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}

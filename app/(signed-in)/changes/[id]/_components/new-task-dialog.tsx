"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Field, TextArea, TextInput } from "@/app/_ui/field";
import { FormDialog } from "@/app/_ui/form-dialog";
import { Select } from "@/app/_ui/select";

const kinds = [
  { value: "implement", label: "implement: opens a workspace" },
  { value: "migrate", label: "migrate: opens a workspace" },
  { value: "test", label: "test: opens a workspace" },
  { value: "design", label: "design: no workspace" },
  { value: "review", label: "review: no workspace" },
  { value: "document", label: "document: no workspace" },
] as const;

export type TaskKind = (typeof kinds)[number]["value"];

/** Adds a piece of work to a Change. */
export function NewTaskDialog({ changeId, onClose }: { changeId: string; onClose: () => void }) {
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
    <FormDialog
      title="New Task"
      description="One piece of work, which an agent takes and works on in a Run."
      submitLabel="Create"
      act={create}
      onSubmit={() => create.mutate({ changeId, kind, title, instructions })}
      onClose={onClose}
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
    </FormDialog>
  );
}

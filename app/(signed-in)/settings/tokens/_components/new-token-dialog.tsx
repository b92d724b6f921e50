"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Field, TextInput } from "@/app/_ui/field";
import { FormDialog, ShownOnce } from "@/app/_ui/form-dialog";
import { Select } from "@/app/_ui/select";

const roles = [
  { value: "agent", label: "Agent: works in one Project" },
  { value: "reviewer", label: "Reviewer: reads all, reviews, merges" },
  { value: "admin", label: "Admin: everything" },
] as const;

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "none", label: "Until it is revoked" },
] as const;

const dayMs = 24 * 60 * 60_000;

interface Form {
  role: (typeof roles)[number]["value"];
  projectId: string;
  label: string;
  lifetime: (typeof lifetimes)[number]["value"];
}

/** Makes a token. Its text is shown once. */
export function NewTokenDialog({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [form, setForm] = useState<Form>({
    role: "agent",
    projectId: projectId ?? "",
    label: "",
    lifetime: "90",
  });
  const create = useMutation({
    ...api.token.create.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries(api.token.pathFilter()),
  });
  const submit = () =>
    create.mutate({
      role: form.role,
      label: form.label,
      ...(form.role === "agent" ? { projectId: form.projectId } : {}),
      ...(form.lifetime === "none"
        ? {}
        : { expiresAt: new Date(Date.now() + Number(form.lifetime) * dayMs).toISOString() }),
    });
  return (
    <FormDialog
      title="New token"
      description="For agents, git and the command line. It is shown once; only a hash of it is kept."
      submitLabel="Create"
      act={create}
      onSubmit={submit}
      onClose={onClose}
      result={create.isSuccess ? <ShownOnce text={create.data.token} label="Copy the token" /> : undefined}
    >
      <Fields form={form} onChange={(change) => setForm({ ...form, ...change })} />
    </FormDialog>
  );
}

function Fields({ form, onChange }: { form: Form; onChange: (change: Partial<Form>) => void }) {
  const api = useApi();
  const projects = useQuery(api.project.list.queryOptions({ limit: 200 }));
  const options = (projects.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Field label="Role">
        <Select label="Role" value={form.role} onValueChange={(role) => onChange({ role })} options={roles} />
      </Field>
      {form.role === "agent" ? (
        <Field label="Project" hint="An agent sees nothing else.">
          <Select
            label="Project"
            value={form.projectId}
            onValueChange={(projectId) => onChange({ projectId })}
            options={options}
          />
        </Field>
      ) : null}
      <Field label="Label" hint="Who or what holds it.">
        <TextInput
          required
          maxLength={200}
          value={form.label}
          onChange={(event) => onChange({ label: event.target.value })}
        />
      </Field>
      <Field label="Expires after">
        <Select
          label="Expires after"
          value={form.lifetime}
          onValueChange={(lifetime) => onChange({ lifetime })}
          options={lifetimes}
        />
      </Field>
    </>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Field, TextInput } from "@/app/_ui/field";
import { FormDialog } from "@/app/_ui/form-dialog";
import { Select } from "@/app/_ui/select";

interface Form {
  source: "empty" | "import";
  name: string;
  branch: string;
  importUrl: string;
}

/** Makes a Project: empty, or from a repository elsewhere. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [form, setForm] = useState<Form>({ source: "empty", name: "", branch: "main", importUrl: "" });
  const create = useMutation({
    ...api.project.create.mutationOptions(),
    onSuccess: (project) => {
      void queryClient.invalidateQueries(api.project.pathFilter());
      router.push(`/projects/${project.id}`);
    },
  });
  const submit = () => {
    const { source, name, branch: defaultBranch, importUrl } = form;
    create.mutate({ name, defaultBranch, ...(source === "import" ? { importUrl } : {}) });
  };
  return (
    <FormDialog
      title="New Project"
      description="One git repository, and the Sandbox that its agents share."
      submitLabel="Create"
      act={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields form={form} onChange={(change) => setForm({ ...form, ...change })} />
    </FormDialog>
  );
}

function Fields({ form, onChange }: { form: Form; onChange: (change: Partial<Form>) => void }) {
  return (
    <>
      <Field label="Begin with">
        <Select
          label="Begin with"
          value={form.source}
          onValueChange={(source) => onChange({ source })}
          options={[
            { value: "empty", label: "An empty repository, to push to" },
            { value: "import", label: "A copy of a repository elsewhere" },
          ]}
        />
      </Field>
      <Field label="Name">
        <TextInput
          required
          maxLength={200}
          value={form.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      {form.source === "import" ? (
        <Field
          label="Address"
          hint="http or https. Credentials in it are used once and not kept. Private addresses have to be allowed by IMPORT_ALLOWED_HOSTS."
        >
          <TextInput
            type="url"
            required
            placeholder="https://git.example/team/repository.git"
            value={form.importUrl}
            onChange={(event) => onChange({ importUrl: event.target.value })}
          />
        </Field>
      ) : null}
      <Field
        label="Default branch"
        hint={form.source === "import" ? "Used where the source names none." : undefined}
      >
        <TextInput
          required
          value={form.branch}
          onChange={(event) => onChange({ branch: event.target.value })}
        />
      </Field>
    </>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Field, TextInput } from "@/app/_ui/field";
import { FormDialog, ShownOnce } from "@/app/_ui/form-dialog";
import { Select } from "@/app/_ui/select";

const roles = [
  { value: "reviewer", label: "Reviewer: reads all, reviews, merges" },
  { value: "admin", label: "Admin: everything" },
] as const;

/** Makes a link for one person. It is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<"admin" | "reviewer">("reviewer");
  const invite = useMutation({
    ...api.user.invite.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries(api.user.pathFilter()),
  });
  return (
    <FormDialog
      title="Invite somebody"
      description="No mail is sent: you pass the link on. It works once, for 7 days."
      submitLabel="Make the link"
      act={invite}
      onSubmit={() => invite.mutate({ email, role })}
      onClose={onClose}
      result={
        invite.isSuccess ? (
          <div className="flex flex-col gap-2">
            <p>This link is shown only now:</p>
            <ShownOnce text={invite.data.link} label="Copy the link" />
          </div>
        ) : undefined
      }
    >
      <Field label="E-mail">
        <TextInput type="email" required value={email} onChange={(event) => setEmail(event.target.value)} />
      </Field>
      <Field label="Role">
        <Select label="Role" value={role} onValueChange={setRole} options={roles} />
      </Field>
    </FormDialog>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { CopyButton } from "@/app/_ui/copy-button";
import { Dialog } from "@/app/_ui/dialog";
import { Field, TextInput } from "@/app/_ui/field";
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
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Invite somebody"
      description="No mail is sent: you pass the link on. It works once, for 7 days."
      footer={
        invite.isSuccess ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" type="submit" form="invite" busy={invite.isPending}>
              Make the link
            </Button>
          </>
        )
      }
    >
      {invite.isSuccess ? (
        <div className="flex flex-col gap-2">
          <p>This link is shown only now:</p>
          <div className="flex items-start gap-2">
            <code className="min-w-0 flex-1 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs wrap-anywhere">
              {invite.data.link}
            </code>
            <CopyButton text={invite.data.link} label="Copy the link" />
          </div>
        </div>
      ) : (
        <form
          id="invite"
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate({ email, role });
          }}
        >
          <Field label="E-mail" error={invite.isError ? describeApiError(invite.error).message : null}>
            <TextInput
              type="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <Field label="Role">
            <Select label="Role" value={role} onValueChange={setRole} options={roles} />
          </Field>
        </form>
      )}
    </Dialog>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { useSession } from "@/app/_client/session";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { Field, TextInput } from "@/app/_ui/field";
import { PageHeader } from "@/app/_ui/page-header";
import { Panel } from "@/app/_ui/panel";
import { SignInsPanel } from "@/app/_ui/sign-ins-panel";
import { useToast } from "@/app/_ui/toast";

/** One's own name, password and sessions. */
export function AccountView() {
  const { actor, email, role } = useSession();
  if (actor.kind === "token") {
    return (
      <>
        <PageHeader title="Account" />
        <EmptyState title="You look at this with a token">Only people have an account.</EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Account" meta={`${email ?? ""}, ${role}`} />
      <div className="flex flex-col gap-6">
        <NamePanel name={actor.name} />
        <PasswordPanel />
        <SignInsPanel />
      </div>
    </>
  );
}

function NamePanel({ name }: { name: string }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [text, setText] = useState(name);
  const rename = useMutation({
    ...api.user.rename.mutationOptions(),
    onSuccess: async () => {
      toast({ title: "Your name is changed.", tone: "good" });
      await queryClient.invalidateQueries(api.user.pathFilter());
    },
  });
  return (
    <Panel title="Name">
      <form
        className="flex max-w-md flex-col gap-3 px-3 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ name: text });
        }}
      >
        <Field
          label="Name"
          hint="Earlier comments and reviews keep the name of then."
          error={rename.isError ? describeApiError(rename.error).message : null}
        >
          <TextInput
            required
            maxLength={200}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div>
          <Button type="submit" busy={rename.isPending} disabled={text.trim() === name}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function PasswordPanel() {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    ...api.user.changePassword.mutationOptions(),
    onSuccess: async () => {
      setPresent("");
      setNext("");
      toast({ title: "Your password is changed. Every other browser is signed out.", tone: "good" });
      await queryClient.invalidateQueries(api.user.pathFilter());
    },
  });
  return (
    <Panel title="Password">
      <form
        className="flex max-w-md flex-col gap-3 px-3 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ present, next });
        }}
      >
        <Field
          label="Present password"
          error={change.isError ? describeApiError(change.error).message : null}
        >
          <TextInput
            type="password"
            autoComplete="current-password"
            required
            value={present}
            onChange={(event) => setPresent(event.target.value)}
          />
        </Field>
        <Field label="New password" hint="At least 10 characters. Every other browser is signed out.">
          <TextInput
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={200}
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        </Field>
        <div>
          <Button type="submit" busy={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Panel>
  );
}

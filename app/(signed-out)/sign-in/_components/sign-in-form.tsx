"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { Field, TextInput } from "@/app/_ui/field";

/** Signs in by e-mail and password, then goes where the person wanted to go. */
export function SignInForm({ nextPath }: { nextPath: string }) {
  const api = useApi();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    ...api.user.signIn.mutationOptions(),
    // A whole load: nothing that was known before the sign-in may stay.
    onSuccess: () => window.location.assign(nextPath),
  });
  return (
    <form
      className="flex flex-col gap-4"
      aria-labelledby="sign-in-title"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate({ email, password });
      }}
    >
      <h1 id="sign-in-title" className="text-lg font-semibold tracking-tight">
        Sign in
      </h1>
      {signIn.isError ? (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
          {describeApiError(signIn.error).message}
        </p>
      ) : null}
      <Field label="E-mail">
        <TextInput
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label="Password">
        <TextInput
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" busy={signIn.isPending || signIn.isSuccess}>
        Sign in
      </Button>
      <p className="text-xs text-muted">
        No account? An admin invites you with a link. A lost password: an admin disables the old account and
        invites you anew.
      </p>
    </form>
  );
}

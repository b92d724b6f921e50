"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError, isGone } from "@/app/_client/errors";
import { Button, LinkButton } from "@/app/_ui/button";
import { Field, TextInput } from "@/app/_ui/field";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";

/** Uses a one-time link: the person behind it chooses a name and a password, and is signed in. */
export function AcceptForm({ secret }: { secret: string }) {
  const api = useApi();
  const invitation = useQuery({
    ...api.user.getInvitation.queryOptions({ secret }),
    retry: false,
    staleTime: Infinity,
  });
  if (invitation.isError && isBrokenLink(invitation.error)) return <BrokenLink />;
  return (
    <QueryState query={invitation} skeleton={<SkeletonRows rows={4} />} awaited="the invitation">
      {(offer) => <Form secret={secret} offer={offer} />}
    </QueryState>
  );
}

/** Used, expired, revoked, mistyped and cut off links are told alike: nobody learns which there are. */
function isBrokenLink(error: unknown): boolean {
  const { domainCode } = describeApiError(error);
  return isGone(domainCode) || domainCode === "input.invalid";
}

function BrokenLink() {
  return (
    <div role="alert" className="flex flex-col items-start gap-2">
      <h1 className="text-lg font-semibold tracking-tight">This link does not work</h1>
      <p className="text-muted">
        It is unknown, was used, or has expired. Copy it whole, or ask whoever sent it for a new one.
      </p>
      <LinkButton className="mt-2" href="/sign-in">
        I have an account
      </LinkButton>
    </div>
  );
}

interface FormProps {
  secret: string;
  offer: {
    kind: "first_admin" | "invited";
    email: string | null;
    role: string;
    createdByName: string | null;
  };
}

const passwordLengthMin = 10;

function Form({ secret, offer }: FormProps) {
  const api = useApi();
  const [email, setEmail] = useState(offer.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const accept = useMutation({
    ...api.user.acceptInvitation.mutationOptions(),
    // A whole load: nothing that was known before the sign-in may stay, nor the used-up link in the way back.
    onSuccess: () => window.location.replace(new URL("/", window.location.href)),
  });
  return (
    <form
      className="flex flex-col gap-4"
      aria-labelledby="accept-title"
      onSubmit={(event) => {
        event.preventDefault();
        accept.mutate({ secret, email, name, password });
      }}
    >
      <div>
        <h1 id="accept-title" className="text-lg font-semibold tracking-tight">
          {offer.kind === "first_admin" ? "Become the first admin" : "Join Rhumbatron"}
        </h1>
        <p className="text-muted">
          {offer.kind === "first_admin"
            ? "This link makes one account that may do everything. Others come in by its invitations."
            : `${offer.createdByName ?? "An admin"} invites you as ${offer.role === "admin" ? "an admin" : "a reviewer"}.`}
        </p>
      </div>
      {accept.isError ? (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
          {describeApiError(accept.error).message}
        </p>
      ) : null}
      <Field label="E-mail" hint={offer.email === null ? undefined : "Chosen by whoever invited you."}>
        <TextInput
          type="email"
          name="email"
          autoComplete="username"
          required
          readOnly={offer.email !== null}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label="Name" hint="Stands beside your comments and reviews.">
        <TextInput
          name="name"
          autoComplete="name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label="Password" hint={`At least ${passwordLengthMin} characters.`}>
        <TextInput
          type="password"
          name="password"
          autoComplete="new-password"
          required
          minLength={passwordLengthMin}
          maxLength={200}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" busy={accept.isPending || accept.isSuccess}>
        Create the account
      </Button>
      <LinkButton variant="ghost" href="/sign-in">
        I have an account
      </LinkButton>
    </form>
  );
}

"use client";

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { useSession } from "@/app/_client/session";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { EmptyState } from "@/app/_ui/empty-state";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { Select } from "@/app/_ui/select";
import { SignInsPanel } from "@/app/_ui/sign-ins-panel";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { InvitationsPanel } from "./invitations-panel";
import { InviteDialog } from "./invite-dialog";

/** Who may sign in, as what, and who is invited. */
export function PeopleView() {
  const api = useApi();
  const [isInviting, setInviting] = useState(false);
  const query = useInfiniteQuery(
    api.user.list.infiniteQueryOptions({}, { getNextPageParam: (page) => page.nextCursor }),
  );
  return (
    <>
      <Panel
        title="People"
        actions={
          <Button size="sm" variant="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" /> Invite
          </Button>
        }
      >
        <QueryState
          query={query}
          skeleton={<SkeletonRows rows={3} />}
          awaited="the people"
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={
            <EmptyState title="Nobody has an account yet">
              Invite somebody, or open the link for the first admin.
            </EmptyState>
          }
        >
          {(data) => {
            const items = data.pages.flatMap((page) => page.items);
            return (
              <>
                <ul className="divide-y divide-line">
                  {items.map((person) => (
                    <PersonRow key={person.id} person={person} />
                  ))}
                </ul>
                <LoadMore query={query} shown={items.length} />
              </>
            );
          }}
        </QueryState>
      </Panel>
      <InvitationsPanel />
      <SignInsPanel everybody />
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </>
  );
}

interface PersonRowProps {
  person: {
    id: string;
    email: string;
    name: string;
    role: "admin" | "reviewer";
    createdAt: string;
    lastSeenAt: string | null;
    disabledAt: string | null;
  };
}

const roles = [
  { value: "admin", label: "Admin" },
  { value: "reviewer", label: "Reviewer" },
] as const;

function PersonRow({ person }: PersonRowProps) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const { actor } = useSession();
  const after = {
    onSuccess: () => queryClient.invalidateQueries(api.user.pathFilter()),
    onError: (error: unknown) => toast({ title: describeApiError(error).message, tone: "bad" }),
  } as const;
  const setRole = useMutation({ ...api.user.setRole.mutationOptions(), ...after });
  const setDisabled = useMutation({ ...api.user.setDisabled.mutationOptions(), ...after });
  const isDisabled = person.disabledAt !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">
          <UntrustedText text={person.name} />{" "}
          {person.id === actor.id ? <Badge tone="neutral">you</Badge> : null}
          {isDisabled ? <Badge tone="bad">disabled</Badge> : null}
        </p>
        <p className="text-xs text-muted wrap-anywhere">
          <UntrustedText text={person.email} /> · joined <RelativeTime at={person.createdAt} /> ·{" "}
          {person.lastSeenAt === null ? (
            "never seen"
          ) : (
            <>
              seen <RelativeTime at={person.lastSeenAt} />
            </>
          )}
        </p>
      </div>
      <Select
        label={`Role of ${person.name}`}
        value={person.role}
        disabled={setRole.isPending}
        onValueChange={(role) => setRole.mutate({ id: person.id, role })}
        options={roles}
        className="w-32"
      />
      <Button
        size="sm"
        busy={setDisabled.isPending}
        aria-label={`${isDisabled ? "Enable" : "Disable"} ${person.name}`}
        onClick={() => {
          if (isDisabled) setDisabled.mutate({ id: person.id, isDisabled: false });
          else setAsking(true);
        }}
      >
        {isDisabled ? "Enable" : "Disable"}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Disable this person?"
        description={
          <>
            <UntrustedText text={person.name} /> is signed out everywhere at once and cannot sign in. What
            they did stays.
          </>
        }
        confirmLabel="Disable"
        tone="danger"
        onConfirm={async () => {
          await client.user.setDisabled.mutate({ id: person.id, isDisabled: true });
          await after.onSuccess();
        }}
      />
    </li>
  );
}

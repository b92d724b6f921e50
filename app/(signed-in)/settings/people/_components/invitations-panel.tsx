"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";

/** The newest invitations, and which of them still hold. */
export function InvitationsPanel() {
  const api = useApi();
  const queryClient = useQueryClient();
  const now = useNow();
  const query = useQuery(api.user.listInvitations.queryOptions({}));
  const toast = useToast();
  const revoke = useMutation({
    ...api.user.revokeInvitation.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries(api.user.pathFilter()),
    onError: (error) => toast({ title: describeApiError(error).message, tone: "bad" }),
  });
  return (
    <Panel title="Invitations">
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={2} />}
        awaited="the invitations"
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title="Nobody is invited">
            An invitation is a link that you pass on yourself.
          </EmptyState>
        }
      >
        {({ items }) => (
          <ul className="divide-y divide-line">
            {items.map((link) => {
              const isExpired = now !== null && Date.parse(link.expiresAt) <= now.getTime();
              const state =
                link.usedAt !== null
                  ? "used"
                  : link.revokedAt !== null
                    ? "revoked"
                    : isExpired
                      ? "expired"
                      : "open";
              return (
                <li key={link.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                  <span className="min-w-0 flex-1 wrap-anywhere">
                    <UntrustedText text={link.email ?? ""} />{" "}
                    <span className="text-muted">as {link.role}</span>
                  </span>
                  <Badge tone={state === "open" ? "accent" : "neutral"}>{state}</Badge>
                  <span className="text-xs text-muted">
                    by <UntrustedText text={link.createdByName ?? "the server"} />,{" "}
                    <RelativeTime at={link.createdAt} />
                  </span>
                  {state === "open" ? (
                    <Button
                      size="sm"
                      busy={revoke.isPending && revoke.variables.id === link.id}
                      onClick={() => revoke.mutate({ id: link.id })}
                    >
                      Revoke
                    </Button>
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}

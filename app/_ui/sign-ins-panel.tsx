"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../_client/api-provider";
import { describeApiError } from "../_client/errors";
import { Badge } from "./badge";
import { browserWords } from "./browser-words";
import { Button } from "./button";
import { EmptyState } from "./empty-state";
import { Panel } from "./panel";
import { QueryState } from "./query-state";
import { RelativeTime } from "./relative-time";
import { SkeletonRows } from "./skeleton";
import { useToast } from "./toast";
import { UntrustedText } from "./untrusted-text";

/** Where one is signed in, or everybody for an admin, and the way to sign a browser out from afar. */
export function SignInsPanel({ everybody = false }: { everybody?: boolean }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const query = useQuery(api.user.listSessions.queryOptions({ everybody }));
  const end = useMutation({
    ...api.user.endSession.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries(api.user.pathFilter()),
    onError: (error) => toast({ title: describeApiError(error).message, tone: "bad" }),
  });
  return (
    <Panel title={everybody ? "Signed in now" : "Signed in at"}>
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={2} />}
        awaited="the sessions"
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title="Nobody is signed in" />}
      >
        {({ items }) => (
          <ul className="divide-y divide-line">
            {items.map((session) => (
              <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
                  {everybody ? (
                    <span className="mr-2 font-medium">
                      <UntrustedText text={session.personName} />
                    </span>
                  ) : null}
                  <span title={session.userAgent ?? undefined}>
                    <UntrustedText text={browserWords(session.userAgent)} />
                  </span>
                </span>
                <span className="text-xs text-muted">
                  signed in <RelativeTime at={session.createdAt} />
                </span>
                {session.isCurrent ? (
                  <Badge tone="good">this one</Badge>
                ) : (
                  <Button
                    size="sm"
                    busy={end.isPending && end.variables.id === session.id}
                    onClick={() => end.mutate({ id: session.id })}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}

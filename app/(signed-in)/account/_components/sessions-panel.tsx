"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";

/** Where one is signed in, and the way to sign a browser out from afar. */
export function SessionsPanel() {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(api.user.listSessions.queryOptions({}));
  const end = useMutation({
    ...api.user.endSession.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries(api.user.pathFilter()),
  });
  return (
    <Panel title="Signed in at">
      <QueryState query={query} skeleton={<SkeletonRows rows={2} />} awaited="your sessions">
        {({ items }) => (
          <ul className="divide-y divide-line">
            {items.map((session) => (
              <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <UntrustedText text={session.userAgent ?? "An unknown browser"} />
                </span>
                <span className="text-xs text-muted">
                  since <RelativeTime at={session.createdAt} />
                </span>
                {session.isCurrent ? (
                  <Badge tone="good">this one</Badge>
                ) : (
                  <Button size="sm" busy={end.isPending} onClick={() => end.mutate({ id: session.id })}>
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

"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { NewTokenDialog } from "./new-token-dialog";

/** Every token without its secret, and the way to a new one. */
export function TokensView() {
  const api = useApi();
  const projectId = useSearchParams().get("project");
  const [isOpen, setOpen] = useState(projectId !== null);
  const query = useInfiniteQuery(
    api.token.list.infiniteQueryOptions({}, { getNextPageParam: (page) => page.nextCursor }),
  );
  return (
    <Panel
      title="Tokens"
      actions={
        <Button size="sm" variant="primary" onClick={() => setOpen(true)}>
          <KeyRound aria-hidden="true" /> New token
        </Button>
      }
    >
      <QueryState query={query} skeleton={<SkeletonRows rows={4} />} awaited="the tokens">
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          return (
            <>
              <ul className="divide-y divide-line">
                {items.map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </ul>
              <LoadMore query={query} shown={items.length} />
            </>
          );
        }}
      </QueryState>
      {isOpen ? <NewTokenDialog projectId={projectId} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

interface TokenRowProps {
  token: {
    id: string;
    role: "admin" | "reviewer" | "agent";
    label: string;
    projectId: string | null;
    createdAt: string;
    expiresAt: string | null;
    revokedAt: string | null;
  };
}

function TokenRow({ token }: TokenRowProps) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const now = useNow();
  const [isRevoking, setRevoking] = useState(false);
  const isExpired = token.expiresAt !== null && now !== null && Date.parse(token.expiresAt) <= now.getTime();
  const isOver = token.revokedAt !== null || isExpired;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">
          <UntrustedText text={token.label} />
        </p>
        <p className="text-xs text-muted">
          {token.projectId === null ? null : <>Project {token.projectId.slice(0, 8)} · </>}
          made <RelativeTime at={token.createdAt} />
          {token.expiresAt === null ? null : (
            <>
              {" "}
              · expires <RelativeTime at={token.expiresAt} />
            </>
          )}
        </p>
      </div>
      <Badge tone="neutral">{token.role}</Badge>
      {isOver ? (
        <Badge tone="bad">{token.revokedAt === null ? "expired" : "revoked"}</Badge>
      ) : (
        <Button size="sm" onClick={() => setRevoking(true)}>
          Revoke
        </Button>
      )}
      <ConfirmDialog
        open={isRevoking}
        onOpenChange={setRevoking}
        title="Revoke this token?"
        description="From now on every call with it is refused. Runs that it opened stay until they expire or are stopped."
        confirmLabel="Revoke"
        tone="danger"
        onConfirm={async () => {
          await client.token.revoke.mutate({ id: token.id });
          await queryClient.invalidateQueries(api.token.pathFilter());
        }}
      />
    </li>
  );
}

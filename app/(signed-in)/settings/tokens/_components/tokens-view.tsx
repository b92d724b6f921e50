"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { EmptyState } from "@/app/_ui/empty-state";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { AppRouter } from "@/server/api/root";
import { NewTokenDialog } from "./new-token-dialog";

/** Every token without its secret, and the way to a new one. */
export function TokensView() {
  const projectId = useSearchParams().get("project");
  const [isOpen, setOpen] = useState(projectId !== null);
  const [isEndedShown, setEndedShown] = useState(false);
  return (
    <>
      <Panel
        title="Tokens"
        actions={
          <Button size="sm" variant="primary" onClick={() => setOpen(true)}>
            <KeyRound aria-hidden="true" /> New token
          </Button>
        }
      >
        <TokenList hasEnded={false} emptyTitle="No token can be used" />
        {isOpen ? <NewTokenDialog projectId={projectId} onClose={() => setOpen(false)} /> : null}
      </Panel>
      <Panel
        title="Revoked and expired"
        actions={
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isEndedShown}
            onClick={() => setEndedShown(!isEndedShown)}
          >
            {isEndedShown ? "Hide" : "Show"}
          </Button>
        }
      >
        {isEndedShown ? (
          <TokenList hasEnded emptyTitle="No token was revoked, and none has expired" />
        ) : (
          <p className="px-3 py-2 text-xs text-muted">
            They open nothing any more. They are kept, so that the audit log can be read.
          </p>
        )}
      </Panel>
    </>
  );
}

function TokenList({ hasEnded, emptyTitle }: { hasEnded: boolean; emptyTitle: string }) {
  const api = useApi();
  const query = useInfiniteQuery(
    api.token.list.infiniteQueryOptions({ hasEnded }, { getNextPageParam: (page) => page.nextCursor }),
  );
  return (
    <QueryState
      query={query}
      skeleton={<SkeletonRows rows={3} />}
      awaited="the tokens"
      isEmpty={(data) => data.pages[0]?.items.length === 0}
      empty={<EmptyState title={emptyTitle} />}
    >
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
  );
}

type Token = inferRouterOutputs<AppRouter>["token"]["list"]["items"][number];

function TokenRow({ token }: { token: Token }) {
  const now = useNow();
  const [isRevoking, setRevoking] = useState(false);
  const { role, label, projectId, projectName, changeId, createdAt, expiresAt, revokedAt } = token;
  const isExpired = expiresAt !== null && now !== null && Date.parse(expiresAt) <= now.getTime();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">
          <UntrustedText text={label} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted">
          {projectId === null ? null : (
            <Link href={`/projects/${projectId}`} className="wrap-anywhere hover:underline">
              <UntrustedText text={projectName ?? projectId} />
            </Link>
          )}
          {changeId === null ? null : (
            <Link href={`/changes/${changeId}`} className="hover:underline">
              one Change only
            </Link>
          )}
          <span>
            made <RelativeTime at={createdAt} />
          </span>
          {expiresAt === null || revokedAt !== null ? null : (
            <span>
              {isExpired ? "expired" : "expires"} <RelativeTime at={expiresAt} />
            </span>
          )}
          {revokedAt === null ? null : (
            <span>
              revoked <RelativeTime at={revokedAt} />
            </span>
          )}
        </p>
      </div>
      <Badge tone={role === "agent" ? "neutral" : "accent"}>{role}</Badge>
      {revokedAt !== null || isExpired ? null : (
        <Button size="sm" onClick={() => setRevoking(true)}>
          Revoke
        </Button>
      )}
      {isRevoking ? <RevokeDialog id={token.id} onClose={() => setRevoking(false)} /> : null}
    </li>
  );
}

function RevokeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Revoke this token?"
      description="From now on every call with it is refused. Runs that it opened stay until they expire or are stopped."
      confirmLabel="Revoke"
      tone="danger"
      onConfirm={async () => {
        await client.token.revoke.mutate({ id });
        await queryClient.invalidateQueries(api.token.pathFilter());
      }}
    />
  );
}

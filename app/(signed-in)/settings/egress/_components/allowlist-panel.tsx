"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { EmptyState } from "@/app/_ui/empty-state";
import { TextInput } from "@/app/_ui/field";
import { Panel } from "@/app/_ui/panel";
import { QueryState, type ReadQuery } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { EgressList, Entry } from "../_rules/egress-list";

interface AllowlistPanelProps {
  query: ReadQuery<EgressList>;
  onAllow: (host: string) => void;
}

/** Every host that is in force, whoever set it, and a line to add one. */
export function AllowlistPanel({ query, onAllow }: AllowlistPanelProps) {
  const [removing, setRemoving] = useState<string | null>(null);
  const entries = query.data?.entries;
  return (
    <Panel title="Allowlist" {...(entries === undefined ? {} : { count: entries.length })}>
      <p className="border-b border-line px-3 py-2 text-xs text-muted">
        Sandboxes reach these hosts and nothing else, by https:// on port 443 and http:// on port 80. A change
        holds at once, also for what is open.
      </p>
      <AddForm onAllow={onAllow} />
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={4} />}
        awaited="the allowlist"
        isEmpty={(data) => data.entries.length === 0}
        empty={
          <EmptyState title="Sandboxes reach nothing outside">
            Not even packages can be installed. Add the host of your package registry.
          </EmptyState>
        }
      >
        {(data) => (
          <ul className="divide-y divide-line">
            {data.entries.map((entry) => (
              <EntryRow key={entry.host} entry={entry} onRemove={() => setRemoving(entry.host)} />
            ))}
          </ul>
        )}
      </QueryState>
      {removing === null ? null : <RemoveDialog host={removing} onClose={() => setRemoving(null)} />}
    </Panel>
  );
}

function AddForm({ onAllow }: { onAllow: (host: string) => void }) {
  const [host, setHost] = useState("");
  return (
    <form
      className="flex flex-wrap gap-2 border-b border-line px-3 py-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (host.trim() === "") return;
        onAllow(host.trim());
        setHost("");
      }}
    >
      <TextInput
        aria-label="Host to allow"
        placeholder="api.example.com or *.example.com"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="max-w-sm flex-1 basis-56 font-mono"
        value={host}
        onChange={(event) => setHost(event.target.value)}
      />
      <Button type="submit" disabled={host.trim() === ""}>
        Allow
      </Button>
    </form>
  );
}

function EntryRow({ entry, onRemove }: { entry: Entry; onRemove: () => void }) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
      <span className="min-w-0 flex-1 basis-56 font-mono text-sm wrap-anywhere">
        <UntrustedText text={entry.host} />
        {entry.address === null ? null : <span className="text-muted"> = {entry.address}</span>}
      </span>
      {entry.addedBy === null ? null : (
        <span className="text-xs text-muted">
          <UntrustedText text={entry.addedBy.name} />
          {entry.addedAt === null ? null : (
            <>
              , <RelativeTime at={entry.addedAt} />
            </>
          )}
        </span>
      )}
      {entry.source === "environment" ? (
        <Badge tone="neutral" icon={Lock}>
          set by EGRESS_ALLOWLIST
        </Badge>
      ) : (
        <Button size="sm" onClick={onRemove} aria-label={`Remove ${entry.host}`}>
          Remove
        </Button>
      )}
    </li>
  );
}

function RemoveDialog({ host, onClose }: { host: string; onClose: () => void }) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Take this host off the allowlist?"
      description={
        <>
          <p className="font-mono text-ink wrap-anywhere">
            <UntrustedText text={host} />
          </p>
          <p className="mt-2">
            No Sandbox reaches it any more, and what is open to it now is cut. Commands that need it fail and
            say so.
          </p>
        </>
      }
      confirmLabel="Remove"
      tone="danger"
      onConfirm={async () => {
        const { isInForce } = await client.egress.remove.mutate({ host });
        toast(
          isInForce
            ? { title: `Sandboxes can no longer reach ${host}.` }
            : {
                title: `${host} is off the list; egress does not answer and lets it through until it does.`,
                tone: "bad",
              },
        );
        await queryClient.invalidateQueries(api.egress.pathFilter());
      }}
    />
  );
}

"use client";

import Link from "next/link";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { EgressList, Refusal } from "../_rules/egress-list";
import { hostToAllow, isCovered, refusalWords } from "../_rules/refusal-words";

interface RefusalListProps {
  list: EgressList;
  onAllow: (host: string) => void;
}

/** What sandboxes asked for in vain, newest first, each with the way to let it through. */
export function RefusalList({ list, onAllow }: RefusalListProps) {
  const allowed = list.entries.map(({ host }) => host);
  if (!list.isRefusedKnown) {
    return (
      <EmptyState title="Egress does not answer">
        What it refused cannot be shown, and sandboxes reach nothing while it is away. An operator finds the
        reason with npm run stack:status.
      </EmptyState>
    );
  }
  if (list.refused.length === 0) {
    return (
      <EmptyState title="Nothing was refused since egress started">
        A host that a command asked for in vain is shown here, and in the output of the command.
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {list.refused.map((refusal) => (
        <RefusalRow key={keyOf(refusal)} refusal={refusal} allowed={allowed} onAllow={onAllow} />
      ))}
    </ul>
  );
}

function keyOf({ host, port, reason, projectId, runId }: Refusal): string {
  return JSON.stringify([host, port, reason, projectId, runId]);
}

interface RefusalRowProps {
  refusal: Refusal;
  allowed: readonly string[];
  onAllow: (host: string) => void;
}

function RefusalRow({ refusal, allowed, onAllow }: RefusalRowProps) {
  const { host, port, reason, count, lastAt, projectId, projectName, runId } = refusal;
  const offered = hostToAllow(refusal, allowed);
  const isAllowedNow = reason === "name" && host !== null && isCovered(host, allowed);
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-mono text-sm wrap-anywhere">
          {host === null ? (
            <span className="text-muted">no host name</span>
          ) : (
            <>
              <UntrustedText text={host} />
              {port === null ? null : <span className="text-muted">:{port}</span>}
            </>
          )}
        </p>
        <p className="text-xs text-muted">
          {refusalWords[reason]}, {count === 1 ? "once" : `${count} times`}, last <RelativeTime at={lastAt} />
        </p>
      </div>
      <span className="flex min-w-0 flex-wrap gap-x-2 text-xs text-muted">
        {projectId === null || projectName === null ? null : (
          <Link href={`/projects/${projectId}`} className="wrap-anywhere hover:underline">
            <UntrustedText text={projectName} />
          </Link>
        )}
        {runId === null ? null : (
          <Link href={`/runs/${runId}`} className="font-mono hover:underline">
            Run {runId.slice(0, 8)}
          </Link>
        )}
      </span>
      {offered !== null ? (
        <Button size="sm" onClick={() => onAllow(offered)} aria-label={`Allow ${offered}`}>
          Allow
        </Button>
      ) : isAllowedNow ? (
        <span className="text-xs text-good">allowed meanwhile</span>
      ) : null}
    </li>
  );
}

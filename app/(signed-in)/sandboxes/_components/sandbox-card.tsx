"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { useSession } from "@/app/_client/session";
import { formatBytes, formatSeconds } from "@/app/_ui/amount-words";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import { Sparkline } from "@/app/_ui/sparkline";
import { RunStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { SandboxView } from "../_rules/sandbox-list";
import type { Sample } from "./use-samples";

const stateTones = {
  starting: "accent",
  live: "good",
  removing: "warn",
  gone: "neutral",
  failed: "bad",
} as const;

/** One live Sandbox: whose it is, who works in it, what it uses, and until when. */
export function SandboxCard({ sandbox, samples }: { sandbox: SandboxView; samples: readonly Sample[] }) {
  const { can } = useSession();
  const [isStopping, setStopping] = useState(false);
  return (
    <li className="flex flex-col gap-3 px-3 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={stateTones[sandbox.state]}>{sandbox.state}</Badge>
        <Link href={`/projects/${sandbox.projectId}`} className="font-medium hover:underline">
          <UntrustedText text={sandbox.projectName} />
        </Link>
        <span className="text-xs text-muted">
          {sandbox.runtime}
          {sandbox.startedAt === null ? null : (
            <>
              {" "}
              · started <RelativeTime at={sandbox.startedAt} />
            </>
          )}
        </span>
        <span className="order-last w-full text-xs text-muted tabular-nums sm:order-none sm:ml-auto sm:w-auto">
          <Deadline sandbox={sandbox} />
        </span>
        {can("admin") ? (
          <Button size="sm" className="ml-auto sm:ml-0" onClick={() => setStopping(true)}>
            Stop
          </Button>
        ) : null}
      </div>
      <Usage sandbox={sandbox} samples={samples} />
      <ul className="flex flex-wrap gap-2">
        {sandbox.runs.length === 0 ? <li className="text-xs text-muted">No Run is in it.</li> : null}
        {sandbox.runs.map((run) => (
          <li key={run.runId}>
            <Link
              href={`/runs/${run.runId}`}
              className="flex items-center gap-2 rounded-md border border-line px-2 py-1 text-xs hover:bg-sunken"
            >
              <RunStateBadge state={run.state} />
              <span className="min-w-0">
                <UntrustedText text={run.taskTitle} className="font-medium" />{" "}
                <span className="text-muted">
                  last call <RelativeTime at={run.lastActivityAt} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <StopDialog sandbox={sandbox} isOpen={isStopping} onOpenChange={setStopping} />
    </li>
  );
}

function Deadline({ sandbox }: { sandbox: SandboxView }) {
  const now = useNow();
  if (sandbox.runningCommands > 0) {
    return `${sandbox.runningCommands} ${sandbox.runningCommands === 1 ? "command runs" : "commands run"}: it stays`;
  }
  if (sandbox.idleDeadlineAt === null || now === null) return null;
  const seconds = Math.max(0, Math.round((Date.parse(sandbox.idleDeadlineAt) - now.getTime()) / 1000));
  return `removed in ${formatSeconds(seconds)} unless something happens in it`;
}

function Usage({ sandbox, samples }: { sandbox: SandboxView; samples: readonly Sample[] }) {
  const { usage, limits } = sandbox;
  if (usage === null) return null;
  const cpuMax = limits.cpus * 100;
  const rows = [
    {
      name: "CPU",
      words: `${Math.round(usage.cpuPercent)} % of ${cpuMax} %`,
      values: samples.map(({ cpuPercent }) => cpuPercent),
      max: cpuMax,
    },
    {
      name: "Memory",
      words: `${formatBytes(usage.memoryBytes)} of ${formatBytes(limits.memoryBytes)}`,
      values: samples.map(({ memoryBytes }) => memoryBytes),
      max: limits.memoryBytes,
    },
    {
      name: "Processes",
      words: `${usage.processes} of ${limits.processes}`,
      values: samples.map(({ processes }) => processes),
      max: limits.processes,
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {rows.map(({ name, words, values, max }) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="text-xs tabular-nums">
            {words}
            <Sparkline values={values} max={max} label={`${name}: ${words}`} />
          </dd>
        </div>
      ))}
      <div>
        <dt className="text-xs text-muted">Disk</dt>
        <dd className="text-xs">
          {formatBytes(usage.diskBytes)} of {formatBytes(limits.diskBytes)}
        </dd>
      </div>
    </dl>
  );
}

interface StopDialogProps {
  sandbox: SandboxView;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

function StopDialog({ sandbox, isOpen, onOpenChange }: StopDialogProps) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title="Stop this Sandbox?"
      description="Its Runs go to sleep and running commands are interrupted. Every edit that a tool call acknowledged is kept and is there again at the next call. What only commands wrote is lost."
      confirmLabel="Stop the Sandbox"
      tone="danger"
      onConfirm={async () => {
        await client.sandbox.stop.mutate({ id: sandbox.id });
        await queryClient.invalidateQueries(api.sandbox.pathFilter());
      }}
    />
  );
}

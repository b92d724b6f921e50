"use client";

import Link from "next/link";
import { Panel } from "@/app/_ui/panel";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { SandboxView } from "../_rules/sandbox-list";

const reasons: Record<NonNullable<SandboxView["endReason"]>, string> = {
  idle: "nothing happened in it",
  removed: "it was stopped",
  out_of_memory: "it used all its memory",
  disk_full: "it filled its disk",
  engine_restarted: "the container engine was restarted",
  drifted: "its container was changed from outside",
  lost: "its container was gone",
};

/** What went away lately, and why. */
export function GonePanel({ sandboxes }: { sandboxes: readonly SandboxView[] }) {
  if (sandboxes.length === 0) return null;
  return (
    <Panel title="Went away lately" count={sandboxes.length}>
      <ul className="divide-y divide-line">
        {sandboxes.map((sandbox) => (
          // One Sandbox may have gone many times.
          <Gone
            key={`${sandbox.id} ${sandbox.runtimeId ?? sandbox.startedAt ?? "failed"}`}
            sandbox={sandbox}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Gone({ sandbox }: { sandbox: SandboxView }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
      <Link href={`/projects/${sandbox.projectId}`} className="font-medium hover:underline">
        <UntrustedText text={sandbox.projectName} />
      </Link>
      <span className="min-w-0 text-muted wrap-anywhere">
        {sandbox.state === "failed" ? "could not be started" : "is gone"}
        {sandbox.detail !== null ? (
          <>
            : <UntrustedText text={sandbox.detail} />
          </>
        ) : sandbox.endReason === null ? null : (
          `: ${reasons[sandbox.endReason]}`
        )}
      </span>
      {sandbox.endedAt === null ? null : (
        <span className="ml-auto text-xs text-muted">
          <RelativeTime at={sandbox.endedAt} />
        </span>
      )}
    </li>
  );
}

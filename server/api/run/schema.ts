import { z } from "zod";
import { forkNameOf } from "../../git/repository-paths";
import { sandboxIdOf } from "../../workspaces/runs/rules";
import type { RunEventView } from "../../workspaces/runs/types";
import type { RunWithSeconds } from "../../workspaces/service";
import { runState } from "../../workspaces/schema";
import { commit, count, id, time } from "../fields";

/** What every `run.*` but the list takes. */
export const runIdInput = z.strictObject({ runId: id });

export const runEventKind = z.enum([
  "opened",
  "tool",
  "command",
  "output",
  "restored",
  "refused",
  "ended",
  "note",
]);

/** A Run as the API shows it. */
export const runView = z.object({
  id: z.uuid(),
  taskId: z.uuid(),
  changeId: z.uuid(),
  projectId: z.uuid(),
  actorId: z.uuid(),
  sandboxId: z.string(),
  forkName: z.string(),
  state: runState,
  /** How it ended; null while it lives. */
  endKind: z.enum(["completed", "fail_task", "closed", "stopped", "lost", "expired", "archived"]).nullable(),
  endReason: z.string().nullable(),
  openedAt: time,
  lastActivityAt: time,
  endedAt: time.nullable(),
  /** Over all its sessions; an open one counts up to now. */
  wallSeconds: count,
  /** Over all its sessions; an open one counts as if it ended now, its tail with it. */
  chargedSeconds: count,
  /** False while a session is open: the seconds are then an estimate that grows with time. */
  isSettled: z.boolean(),
  runtime: z.string().nullable(),
  imageDigest: z.string().nullable(),
  baseCommit: commit.nullable(),
  resultCommit: commit.nullable(),
  revisesChangeSetId: z.uuid().nullable(),
  restoreCount: count,
});

export function toRunView(run: RunWithSeconds): z.output<typeof runView> {
  return {
    ...run,
    sandboxId: sandboxIdOf(run.projectId),
    forkName: forkNameOf(run.id),
    openedAt: run.openedAt.toISOString(),
    lastActivityAt: run.lastActivityAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}

/** What happened in a Run. `seq` counts from 1 without a gap. */
export const runEventView: z.ZodType<RunEventView> = z.object({
  seq: z.int().min(1),
  at: time,
  kind: runEventKind,
  data: z.record(z.string(), z.unknown()),
});

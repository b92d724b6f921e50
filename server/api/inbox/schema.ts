import { z } from "zod";
import { changeSetStates } from "../../changesets/types";
import { inboxGroups, type InboxRow } from "../../inbox/types";
import { slotLimit } from "../../projects/rules";
import { taskKinds } from "../../projects/types";
import { runState } from "../../workspaces/schema";
import type { ApiSettings } from "../context";
import { count, time } from "../fields";

export const inboxGroup = z.enum(inboxGroups);

/** One thing that waits for somebody, or went on lately. */
export const inboxRowView = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  projectName: z.string(),
  changeId: z.uuid(),
  changeTitle: z.string(),
  slots: z.object({ max: count, open: count }),
  taskId: z.uuid(),
  taskTitle: z.string(),
  taskKind: z.enum(taskKinds),
  /** The label of the token that opened the Run; null for a person. */
  agentName: z.string().nullable(),
  /** Since when it stands in its group. */
  at: time,
  /** What the Change was charged up to now. */
  chargedSeconds: count,
  /** False while a session is open: the seconds are then an estimate that grows. */
  isSettled: z.boolean(),
  run: z.object({
    id: z.uuid(),
    state: runState,
    lastActivityAt: time,
    endKind: z.string().nullable(),
    endReason: z.string().nullable(),
  }),
  changeSet: z
    .object({
      id: z.uuid(),
      version: count,
      state: z.enum(changeSetStates),
      title: z.string(),
      filesChanged: count,
      insertions: count,
      deletions: count,
      unresolvedThreads: count,
      mergeOutcome: z.enum(["merged", "conflict", "base_moved", "failed"]).nullable(),
    })
    .nullable(),
});

export function toInboxRowView(
  row: InboxRow & { chargedSeconds: number; isSettled: boolean },
  { slotsMax }: ApiSettings,
): z.output<typeof inboxRowView> {
  const { maxActiveSandboxes, openWorkspaces, ...shown } = row;
  return {
    ...shown,
    slots: { max: slotLimit(maxActiveSandboxes, slotsMax), open: openWorkspaces },
    at: row.at.toISOString(),
    run: { ...row.run, lastActivityAt: row.run.lastActivityAt.toISOString() },
  };
}

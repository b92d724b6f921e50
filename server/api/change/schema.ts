import { z } from "zod";
import { slotLimit } from "../../projects/rules";
import type { ChangeRecord } from "../../projects/types";
import { runState } from "../../workspaces/schema";
import { changeSetView } from "../change-set/schema";
import type { ApiSettings } from "../context";
import { count, time } from "../fields";
import { intentView } from "../intent/schema";
import { runView } from "../run/schema";
import { taskView } from "../task/schema";

/** A Change as lists show it. */
export const changeView = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  title: z.string(),
  description: z.string(),
  /** Null: as many as the setting says. */
  maxActiveSandboxes: z.int().nullable(),
  slots: z.object({ max: count, open: count }),
  createdAt: time,
});

/** A Change with everything in it that the caller may see. */
export const changeDetail = changeView.extend({
  slots: z.object({
    max: count,
    open: count,
    workspaces: z.array(z.object({ runId: z.uuid(), taskId: z.uuid(), state: runState, openedAt: time })),
  }),
  tasks: z.array(taskView),
  runs: z.array(runView),
  changeSets: z.array(changeSetView),
  intents: z.array(intentView),
  /** What all its Runs were charged, with an open session counted as if it ended now. */
  chargedSeconds: count,
  /** False while a session is open: `chargedSeconds` is then an estimate that grows with time. */
  isSettled: z.boolean(),
});

export function toChangeView(change: ChangeRecord, { slotsMax }: ApiSettings): z.output<typeof changeView> {
  const { openWorkspaces, ...shown } = change;
  return {
    ...shown,
    slots: { max: slotLimit(change.maxActiveSandboxes, slotsMax), open: openWorkspaces },
    createdAt: change.createdAt.toISOString(),
  };
}

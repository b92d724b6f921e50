import { z } from "zod";
import { parseMonth } from "../../meter/rules";
import type { SessionSoFar } from "../../meter/types";
import { count, time } from "../fields";

/** `YYYY-MM` in UTC, as a caller sends it. */
export const monthInput = z.string().transform((text, ctx) => {
  const month = parseMonth(text);
  if (month !== null) return month;
  ctx.addIssue({ code: "custom", message: "is not a month of the form YYYY-MM" });
  return z.NEVER;
});

export const usageView = z.object({
  month: z.string(),
  capSeconds: count,
  capSource: z.enum(["setting", "environment", "default"]),
  usedSeconds: count,
  reservedSeconds: count,
  remainingSeconds: count,
});

export const monthView = z.object({ month: z.string(), usedSeconds: count, reservedSeconds: count });

/** One metered time of a workspace. While it lives its seconds are those that it would be charged if it ended now. */
export const sessionView = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  projectName: z.string(),
  changeId: z.uuid(),
  changeTitle: z.string(),
  runId: z.uuid(),
  state: z.enum(["reserved", "open", "settled", "released"]),
  createdAt: time,
  openedAt: time.nullable(),
  endedAt: time.nullable(),
  wallSeconds: count,
  tailSeconds: count,
  chargedSeconds: count,
  /** False while its seconds grow. */
  isSettled: z.boolean(),
  /** What it holds of each month while it lives, and what it was charged in it when it ended. */
  months: z.array(z.object({ month: z.string(), reservedSeconds: count, chargedSeconds: count })),
});

export function toSessionView(
  { lastSeenAt: _lastSeenAt, ...session }: SessionSoFar,
  names: { projectName: string; changeTitle: string },
): z.output<typeof sessionView> {
  return {
    ...session,
    ...names,
    createdAt: session.createdAt.toISOString(),
    openedAt: session.openedAt?.toISOString() ?? null,
    endedAt: session.endedAt?.toISOString() ?? null,
    months: [...session.months],
  };
}

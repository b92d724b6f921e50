import { z } from "zod";
import { parseMonth } from "../../meter/rules";
import type { SessionRecord } from "../../meter/types";
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

/** One metered time of a workspace. What it held is gone when it ended; what it was charged is null until then. */
export const sessionView = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  changeId: z.uuid(),
  runId: z.uuid(),
  state: z.enum(["reserved", "open", "settled", "released"]),
  createdAt: time,
  openedAt: time.nullable(),
  endedAt: time.nullable(),
  wallSeconds: count.nullable(),
  tailSeconds: count,
  chargedSeconds: count.nullable(),
  months: z.array(z.object({ month: z.string(), reservedSeconds: count, chargedSeconds: count })),
});

export function toSessionView({
  lastSeenAt: _lastSeenAt,
  ...session
}: SessionRecord): z.output<typeof sessionView> {
  return {
    ...session,
    createdAt: session.createdAt.toISOString(),
    openedAt: session.openedAt?.toISOString() ?? null,
    endedAt: session.endedAt?.toISOString() ?? null,
    months: [...session.months],
  };
}

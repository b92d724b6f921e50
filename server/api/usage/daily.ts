import { z } from "zod";
import { count } from "../fields";
import { procedure } from "../trpc";
import { namesOf } from "./names";
import { monthInput } from "./schema";

const dayCharge = z.object({
  /** `YYYY-MM-DD` in UTC: the day on which the session ended. */
  day: z.iso.date(),
  projectId: z.uuid(),
  projectName: z.string(),
  changeId: z.uuid(),
  changeTitle: z.string(),
  chargedSeconds: count,
});

/** What a month charged by day and Change; the sum of all is its `usedSeconds`. Open sessions are not in it yet. */
export const daily = procedure("reviewer")
  .input(z.strictObject({ month: monthInput }))
  .output(z.object({ month: z.string(), items: z.array(dayCharge) }))
  .query(async ({ ctx, input }) => {
    const days = await ctx.deps.meter.days(input.month);
    const nameOf = await namesOf(ctx.deps, days);
    return { month: input.month, items: days.map((day) => ({ ...day, ...nameOf(day) })) };
  });

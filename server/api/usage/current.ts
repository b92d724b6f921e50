import { z } from "zod";
import { procedure } from "../trpc";
import { monthInput, usageView } from "./schema";

/** How much of a month is used, reserved and left under the cap that is in force now; without `month` the present one. */
export const current = procedure("all")
  .input(z.strictObject({ month: monthInput.optional() }).prefault({}))
  .output(usageView)
  .query(({ ctx, input }) => ctx.deps.meter.current(input.month ?? null));

import { z } from "zod";
import { limitInput } from "../page";
import { procedure } from "../trpc";
import { monthInput, monthView } from "./schema";

/** Every month in which something was reserved, newest first. The cursor is the last month of the page before. */
export const history = procedure("reviewer")
  .input(z.strictObject({ cursor: monthInput.optional(), limit: limitInput }).prefault({}))
  .output(z.object({ items: z.array(monthView), nextCursor: z.string().nullable() }))
  .query(async ({ ctx, input: { cursor = null, limit } }) => {
    const months = await ctx.deps.meter.history({ before: cursor, limit: limit + 1 });
    const items = months.slice(0, limit);
    return { items, nextCursor: months.length > limit ? (items.at(-1)?.month ?? null) : null };
  });

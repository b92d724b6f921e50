import { z } from "zod";
import { id } from "../fields";
import { procedure } from "../trpc";
import { runEventKind, runEventView } from "./schema";

const eventsInput = z.strictObject({
  runId: id,
  after: z.int().min(0).default(0),
  kinds: z.array(runEventKind).min(1).optional(),
  limit: z.int().min(1).max(500).default(100),
});

/** The events of a Run in order, those after number `after`. `nextCursor` is the `after` of the next page. */
export const events = procedure("all")
  .input(eventsInput)
  .output(z.object({ items: z.array(runEventView), nextCursor: z.int().nullable() }))
  .query(async ({ ctx, input }) => {
    const { kinds = null, limit, ...rest } = input;
    const found = await ctx.deps.workspaces.listEvents(ctx.caller, { ...rest, kinds, limit: limit + 1 });
    const items = found.slice(0, limit);
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.seq ?? null) : null };
  });

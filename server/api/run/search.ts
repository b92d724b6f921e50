import { z } from "zod";
import { count, id, time } from "../fields";
import { procedure } from "../trpc";
import { runEventKind } from "./schema";

const searchInput = z.strictObject({
  runId: id,
  text: z.string().min(1).max(200),
  after: z.int().min(0).default(0),
  limit: z.int().min(1).max(100).default(50),
});

const match = z.object({
  seq: z.int().min(1),
  at: time,
  kind: runEventKind,
  /** The command that it belongs to, if any. */
  commandId: z.string().nullable(),
  /** Lines that hold the text, each cut around it; the first few of them. */
  excerpts: z.array(z.string()),
  matchCount: count,
});

/**
 * Where a Run's log holds a text, the output of commands included, in any case of its letters; in order, after event
 * number `after`. One call looks at a bounded part: `nextCursor` is the `after` to go on with, also when nothing was
 * found yet, and null at the end of the log.
 */
export const search = procedure("all")
  .input(searchInput)
  .output(z.object({ items: z.array(match), nextCursor: z.int().nullable() }))
  .query(async ({ ctx, input }) => {
    const { items, nextAfter } = await ctx.deps.workspaces.search(ctx.caller, input);
    return { items, nextCursor: nextAfter };
  });

import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id } from "../fields";
import { cutPage, wholePageInput } from "../page";
import { procedure } from "../trpc";
import { placedThreadView, toPlacedThreadView } from "./schema";

/** All threads of the ChangeSet's series, the oldest first, each with its place in this ChangeSet. */
export const list = procedure("all")
  .input(z.strictObject({ changeSetId: id, ...wholePageInput }))
  .output(z.object({ items: z.array(placedThreadView), nextCursor: z.uuid().nullable() }))
  .query(async ({ ctx, input }) => {
    const threads = await ctx.deps.reviewing.comments.list(input.changeSetId, scopeOf(ctx.caller));
    return cutPage(threads.map(toPlacedThreadView), input);
  });

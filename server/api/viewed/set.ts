import { z } from "zod";
import { filePath } from "../comment/schema";
import { id } from "../fields";
import { procedure } from "../trpc";

/** Marks a file as looked at, with the contents it has now; a version that changes it takes the mark away. */
export const set = procedure("reviewer")
  .input(z.strictObject({ changeSetId: id, path: filePath, isViewed: z.boolean() }))
  .output(z.object({ path: z.string(), isViewed: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    await ctx.deps.reviewing.viewed.set({ ...input, actorId: ctx.caller.actor.id });
    return { path: input.path, isViewed: input.isViewed };
  });

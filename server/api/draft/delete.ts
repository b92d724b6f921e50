import { z } from "zod";
import { idInput } from "../fields";
import { procedure } from "../trpc";

/** Removes a draft of the caller's; one that is not there is removed already. */
export const deleteDraft = procedure("reviewer")
  .input(idInput)
  .output(z.object({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    await ctx.deps.reviewing.drafts.remove(ctx.caller.actor.id, input.id);
    return { id: input.id };
  });

import { z } from "zod";
import { idInput } from "../fields";
import { procedure } from "../trpc";

/** Ends a link that nobody has used. */
export const revokeInvitation = procedure("admin")
  .input(idInput)
  .output(z.object({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    await ctx.deps.people.revokeInvitation({ id: input.id, actor: ctx.caller.actor });
    return { id: input.id };
  });

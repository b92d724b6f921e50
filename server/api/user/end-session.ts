import { z } from "zod";
import { idInput } from "../fields";
import { procedure } from "../trpc";
import { requireSignedIn } from "./signed-in";

/** Signs a browser out. An admin may end anybody's session, everybody else only their own. */
export const endSession = procedure("reviewer")
  .input(idInput)
  .output(z.object({ id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    const personId = ctx.caller.role === "admin" ? null : requireSignedIn(ctx).person.id;
    await ctx.deps.people.endSession({ sessionId: input.id, personId, actor: ctx.caller.actor });
    return { id: input.id };
  });

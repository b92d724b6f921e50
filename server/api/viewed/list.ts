import { z } from "zod";
import { id } from "../fields";
import { procedure } from "../trpc";

/** Paths of this ChangeSet that the caller has looked at as they are. */
export const list = procedure("reviewer")
  .input(z.strictObject({ changeSetId: id }))
  .output(z.object({ paths: z.array(z.string()) }))
  .query(async ({ ctx, input }) => ({
    paths: await ctx.deps.reviewing.viewed.list(ctx.caller.actor.id, input.changeSetId),
  }));

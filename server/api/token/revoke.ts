import { z } from "zod";
import { procedure } from "../trpc";
import { tokenView, toTokenView } from "./schema";

/** Ends a token from now on. Revoking it again gives the same answer. */
export const revoke = procedure("admin")
  .input(z.strictObject({ id: z.uuid().toLowerCase() }))
  .output(tokenView)
  .mutation(async ({ ctx, input }) =>
    toTokenView(await ctx.deps.access.revokeToken(input.id, ctx.caller.actor)),
  );

import { z } from "zod";
import { procedure } from "../trpc";
import { password } from "./schema";
import { requireBrowser, requireSignedIn } from "./signed-in";

/** Changes one's own password and signs out every other browser. */
export const changePassword = procedure("reviewer")
  .input(z.strictObject({ present: z.string().min(1).max(1_000), next: password }))
  .output(z.object({ isChanged: z.literal(true) }))
  .mutation(async ({ ctx, input }) => {
    const { headers } = requireBrowser(ctx);
    await ctx.deps.people.changePassword({ ...input, headers, signedIn: requireSignedIn(ctx) });
    return { isChanged: true };
  });

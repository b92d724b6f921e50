import { z } from "zod";
import { publicProcedure } from "../trpc";
import { email } from "./schema";
import { requireBrowser } from "./signed-in";

/** Signs in by password; the answer sets the cookie. */
export const signIn = publicProcedure()
  .input(z.strictObject({ email, password: z.string().min(1).max(1_000) }))
  .output(z.object({ isSignedIn: z.literal(true) }))
  .mutation(async ({ ctx, input }) => {
    const browser = requireBrowser(ctx);
    browser.setCookies(await ctx.deps.people.signIn({ ...input, headers: browser.headers }));
    return { isSignedIn: true };
  });

import { z } from "zod";
import { publicProcedure } from "../trpc";
import { requireBrowser } from "./signed-in";

/** Ends the session that asks, if there is one. */
export const signOut = publicProcedure()
  .output(z.object({ isSignedIn: z.literal(false) }))
  .mutation(async ({ ctx }) => {
    const browser = requireBrowser(ctx);
    browser.setCookies(await ctx.deps.people.signOut(browser.headers));
    return { isSignedIn: false };
  });

import { z } from "zod";
import { publicProcedure } from "../trpc";
import { email, linkSecret, password, personName, personView, toPersonView } from "./schema";
import { requireBrowser } from "./signed-in";

/** Uses a link up: makes its person, and signs that person in. `email` counts for the first admin only. */
export const acceptInvitation = publicProcedure()
  .input(z.strictObject({ secret: linkSecret, email, name: personName, password }))
  .output(personView)
  .mutation(async ({ ctx, input }) => {
    const browser = requireBrowser(ctx);
    const person = await ctx.deps.people.acceptInvitation(input);
    const { password: given } = input;
    browser.setCookies(
      await ctx.deps.people.signIn({ email: person.email, password: given, headers: browser.headers }),
    );
    return toPersonView(person);
  });

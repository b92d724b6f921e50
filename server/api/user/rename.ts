import { z } from "zod";
import { procedure } from "../trpc";
import { personName, personView, toPersonView } from "./schema";
import { requireSignedIn } from "./signed-in";

/** Changes one's own name. What was done before keeps the name of then. */
export const rename = procedure("reviewer")
  .input(z.strictObject({ name: personName }))
  .output(personView)
  .mutation(async ({ ctx, input }) =>
    toPersonView(await ctx.deps.people.rename({ signedIn: requireSignedIn(ctx), name: input.name })),
  );

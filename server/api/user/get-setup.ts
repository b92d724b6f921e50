import { z } from "zod";
import { publicProcedure } from "../trpc";

/** Whether there is anybody who could sign in; before that, only the first admin's link leads in. */
export const getSetup = publicProcedure()
  .output(z.object({ hasPeople: z.boolean() }))
  .query(async ({ ctx }) => ({ hasPeople: await ctx.deps.people.hasPeople() }));

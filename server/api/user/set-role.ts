import { z } from "zod";
import { id } from "../fields";
import { procedure } from "../trpc";
import { personRole, personView, toPersonView } from "./schema";

/** Changes what a person may do, from the next call on. */
export const setRole = procedure("admin")
  .input(z.strictObject({ id, role: personRole }))
  .output(personView)
  .mutation(async ({ ctx, input }) =>
    toPersonView(await ctx.deps.people.setRole({ ...input, actor: ctx.caller.actor })),
  );

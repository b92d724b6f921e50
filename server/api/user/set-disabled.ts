import { z } from "zod";
import { id } from "../fields";
import { procedure } from "../trpc";
import { personView, toPersonView } from "./schema";

/** Takes a person's access away, or gives it back. What the person did stays under the name. */
export const setDisabled = procedure("admin")
  .input(z.strictObject({ id, isDisabled: z.boolean() }))
  .output(personView)
  .mutation(async ({ ctx, input }) =>
    toPersonView(await ctx.deps.people.setDisabled({ ...input, actor: ctx.caller.actor })),
  );

import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { commit, idInput, time } from "../fields";
import { procedure } from "../trpc";

const branchView = z.object({
  name: z.string(),
  commit,
  subject: z.string(),
  at: time,
  isDefault: z.boolean(),
});

/** The branches of a Project's canonical repository, the one with the newest commit first; at most 200. */
export const branches = procedure("all")
  .input(idInput)
  .output(z.object({ items: z.array(branchView) }))
  .query(async ({ ctx, input }) => ({
    items: await ctx.deps.projects.listBranches(input.id, scopeOf(ctx.caller)),
  }));

import { z } from "zod";
import { title } from "../fields";
import { procedure } from "../trpc";
import { projectView, toProjectView } from "./schema";

const createProjectInput = z.strictObject({
  name: title,
  defaultBranch: z.string().min(1).max(100).default("main"),
  importUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
});

/** Makes a Project with an empty repository, or begins to import one: then it is `importing` for a while. */
export const create = procedure("admin")
  .input(createProjectInput)
  .output(projectView)
  .mutation(async ({ ctx, input }) => {
    const { importUrl = null, ...given } = input;
    const project = await ctx.deps.projects.createProject({
      ...given,
      importUrl,
      actorId: ctx.caller.actor.id,
    });
    return toProjectView(ctx.deps, project);
  });

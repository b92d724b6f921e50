import { idInput } from "../fields";
import { procedure } from "../trpc";
import { projectView, toProjectView } from "./schema";

/** Nothing opens in the Project from here on, and its Runs are ended before this answers. Repeating it is the same. */
export const archive = procedure("admin")
  .input(idInput)
  .output(projectView)
  .mutation(async ({ ctx, input }) => {
    const { projects, workspaces } = ctx.deps;
    const project = await projects.archiveProject(input.id, ctx.caller.actor.id);
    // Closed first, so that no Run opens between the last one that is ended and the end of this call.
    await workspaces.endRunsOf(project.id);
    return toProjectView(ctx.deps, project);
  });

import { failTaskInput, failTaskResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Ends the Run with a reason and closes the workspace. */
export const failTask = procedure("workspace")
  .input(failTaskInput)
  .output(failTaskResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.failTask(ctx.caller, input));

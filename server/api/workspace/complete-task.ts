import { completeTaskInput, completeTaskResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Proposes what the workspace holds as a ChangeSet and closes the workspace. */
export const completeTask = procedure("workspace")
  .input(completeTaskInput)
  .output(completeTaskResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.completeTask(ctx.caller, input));

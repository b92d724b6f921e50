import { runInput, closeWorkspaceResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Closes the workspace without a result. After an end it gives the settled figures again. */
export const close = procedure("workspace")
  .input(runInput)
  .output(closeWorkspaceResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.close(ctx.caller, input));

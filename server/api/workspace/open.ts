import { openWorkspaceInput, openWorkspaceResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Opens a workspace for a Task, or says why not; a refusal leaves nothing behind but its event. */
export const open = procedure("workspace")
  .input(openWorkspaceInput)
  .output(openWorkspaceResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.open(ctx.caller, input));

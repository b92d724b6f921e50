import { runInput, workspaceResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** A workspace as it stands: its Run, its Sandbox, the seconds so far and when it would go to sleep. */
export const get = procedure("all")
  .input(runInput)
  .output(workspaceResult)
  .query(({ ctx, input }) => ctx.deps.workspaces.get(ctx.caller, input));

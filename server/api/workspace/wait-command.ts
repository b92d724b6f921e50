import { waitCommandInput, commandResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Waits for a command that was still running, at most `waitMs`. */
export const waitCommand = procedure("workspace")
  .input(waitCommandInput)
  .output(commandResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.waitCommand(ctx.caller, input));

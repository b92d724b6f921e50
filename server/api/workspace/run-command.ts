import { runCommandInput, commandResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Runs one of the accepted commands and waits for it, at most `waitMs`; a rejection says what is accepted. */
export const runCommand = procedure("workspace")
  .input(runCommandInput)
  .output(commandResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.runCommand(ctx.caller, input));

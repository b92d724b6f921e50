import { writeFileInput, writeFileResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Replaces a whole file or makes it. What is acknowledged outlives the Sandbox. */
export const writeFile = procedure("workspace")
  .input(writeFileInput)
  .output(writeFileResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.writeFile(ctx.caller, input));

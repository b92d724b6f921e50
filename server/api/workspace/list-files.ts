import { listFilesInput, listFilesResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Lists a directory of the workspace. A mutation, since it may wake the Sandbox. */
export const listFiles = procedure("workspace")
  .input(listFilesInput)
  .output(listFilesResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.listFiles(ctx.caller, input));

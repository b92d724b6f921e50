import { deleteFileInput, deleteFileResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Deletes a file, or a directory with all that is in it when asked to. */
export const deleteFile = procedure("workspace")
  .input(deleteFileInput)
  .output(deleteFileResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.deleteFile(ctx.caller, input));

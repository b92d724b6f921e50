import { editFileInput, editFileResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Replaces a text that stands in a file exactly once, or everywhere when asked to. */
export const editFile = procedure("workspace")
  .input(editFileInput)
  .output(editFileResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.editFile(ctx.caller, input));

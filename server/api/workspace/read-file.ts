import { readFileInput, readFileResult } from "../../workspaces/schema";
import { procedure } from "../trpc";

/** Reads a file or a range of its lines. A mutation, since it may wake the Sandbox. */
export const readFile = procedure("workspace")
  .input(readFileInput)
  .output(readFileResult)
  .mutation(({ ctx, input }) => ctx.deps.workspaces.readFile(ctx.caller, input));

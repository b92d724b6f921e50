import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { commit } from "../fields";
import { procedure } from "../trpc";
import { diffFileView, diffInput } from "./schema";

/** One row a file that differs between two commits, in git's order. */
export const files = procedure("all")
  .input(z.strictObject(diffInput))
  .output(z.object({ baseCommit: commit, headCommit: commit, files: z.array(diffFileView) }))
  .query(({ ctx, input }) => ctx.deps.changeSets.files(input, scopeOf(ctx.caller)));

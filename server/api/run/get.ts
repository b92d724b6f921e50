import { procedure } from "../trpc";
import { runIdInput, runView, toRunView } from "./schema";

export const get = procedure("all")
  .input(runIdInput)
  .output(runView)
  .query(async ({ ctx, input }) => toRunView(await ctx.deps.workspaces.getRun(ctx.caller, input.runId)));

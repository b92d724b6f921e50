import { z } from "zod";
import { id } from "../fields";
import { procedure } from "../trpc";
import { runView, toRunView } from "./schema";

/** Ends a Run as `failed` by a person's decision. `kept` says what of it is still there. */
export const stop = procedure("reviewer")
  .input(z.strictObject({ runId: id, reason: z.string().trim().min(1).max(4_000) }))
  .output(runView.extend({ kept: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const stopped = await ctx.deps.workspaces.stopRun(ctx.caller, input);
    return { ...toRunView(stopped), kept: stopped.kept };
  });

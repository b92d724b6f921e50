import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id, title } from "../fields";
import { procedure } from "../trpc";
import { intentView, toIntentView } from "./schema";

export const declareIntentInput = z.strictObject({
  taskId: id,
  title,
  body: z.string().trim().min(1).max(20_000),
  /** Of the refused open that this answers. */
  refusalId: id.optional(),
});

/** Writes down what the caller would change and why, where no workspace was to be had. */
export const declare = procedure("workspace")
  .input(declareIntentInput)
  .output(intentView)
  .mutation(async ({ ctx, input }) => {
    const { taskId, refusalId = null, ...words } = input;
    const task = await ctx.deps.projects.getTask(taskId, scopeOf(ctx.caller));
    return toIntentView(
      await ctx.deps.intents.declare({ ...words, task, refusalId, actorId: ctx.caller.actor.id }),
    );
  });

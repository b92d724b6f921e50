import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id, prose, title } from "../fields";
import { procedure } from "../trpc";
import { taskKind, taskView, toTaskView } from "./schema";

/** Makes a Task. Only the kinds implement, migrate and test ever open a workspace. */
export const create = procedure("all")
  .input(z.strictObject({ changeId: id, kind: taskKind, title, instructions: prose }))
  .output(taskView)
  .mutation(async ({ ctx, input }) =>
    toTaskView(
      await ctx.deps.projects.createTask({ ...input, actorId: ctx.caller.actor.id }, scopeOf(ctx.caller)),
    ),
  );

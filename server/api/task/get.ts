import { scopeOf } from "../../access/scope";
import { idInput } from "../fields";
import { procedure } from "../trpc";
import { taskView, toTaskView } from "./schema";

export const get = procedure("all")
  .input(idInput)
  .output(taskView)
  .query(async ({ ctx, input }) =>
    toTaskView(await ctx.deps.projects.getTask(input.id, scopeOf(ctx.caller))),
  );

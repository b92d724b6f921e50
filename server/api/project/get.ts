import { scopeOf } from "../../access/scope";
import { idInput } from "../fields";
import { procedure } from "../trpc";
import { projectView, toProjectView } from "./schema";

export const get = procedure("all")
  .input(idInput)
  .output(projectView)
  .query(async ({ ctx, input }) =>
    toProjectView(ctx.deps, await ctx.deps.projects.getProject(input.id, scopeOf(ctx.caller))),
  );

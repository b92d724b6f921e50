import { scopeOf } from "../../access/scope";
import { idInput } from "../fields";
import { procedure } from "../trpc";
import { changeSetView, toChangeSetView } from "./schema";

export const get = procedure("all")
  .input(idInput)
  .output(changeSetView)
  .query(async ({ ctx, input }) =>
    toChangeSetView(await ctx.deps.changeSets.get(input.id, scopeOf(ctx.caller))),
  );

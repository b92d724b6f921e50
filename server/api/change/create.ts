import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { DomainError } from "../../platform/errors";
import { id, prose, title } from "../fields";
import { procedure } from "../trpc";
import { changeView, toChangeView } from "./schema";

const createChangeInput = z.strictObject({
  projectId: id,
  title,
  description: prose.default(""),
  maxActiveSandboxes: z.int().min(1).optional(),
});

/** Makes a Change. How many of its workspaces may be open at once is for people to set, never above the setting. */
export const create = procedure("all")
  .input(createChangeInput)
  .output(changeView)
  .mutation(async ({ ctx, input }) => {
    const { maxActiveSandboxes = null, ...given } = input;
    if (maxActiveSandboxes !== null && ctx.caller.role === "agent") {
      throw new DomainError("auth.forbidden", "maxActiveSandboxes is not for the role agent.", {
        field: "maxActiveSandboxes",
      });
    }
    const change = await ctx.deps.projects.createChange(
      { ...given, maxActiveSandboxes, actorId: ctx.caller.actor.id },
      scopeOf(ctx.caller),
    );
    return toChangeView(change, ctx.deps.settings);
  });

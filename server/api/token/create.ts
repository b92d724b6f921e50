import { z } from "zod";
import { everything } from "../../access/scope";
import { DomainError } from "../../platform/errors";
import { title } from "../fields";
import { procedure } from "../trpc";
import { roleSchema } from "./schema";

const createTokenInput = z.strictObject({
  role: roleSchema,
  label: title,
  projectId: z.uuid().toLowerCase().optional(),
  changeId: z.uuid().toLowerCase().optional(),
  expiresAt: z.iso.datetime().optional(),
});

/** Makes a token and shows it, this once. */
export const create = procedure("admin")
  .input(createTokenInput)
  .output(z.object({ id: z.uuid(), token: z.string() }))
  .mutation(async ({ ctx, input }) => {
    if (input.changeId !== undefined) {
      const change = await ctx.deps.projects.getChange(input.changeId, everything);
      if (change.projectId !== input.projectId) {
        throw new DomainError("input.invalid", "changeId: is not a Change of this Project", {
          field: "changeId",
        });
      }
    }
    const token = {
      role: input.role,
      label: input.label,
      projectId: input.projectId ?? null,
      changeId: input.changeId ?? null,
      expiresAt: input.expiresAt === undefined ? null : new Date(input.expiresAt),
    };
    return ctx.deps.access.createToken(token, ctx.caller.actor);
  });

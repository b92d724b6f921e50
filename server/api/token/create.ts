import { z } from "zod";
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
  .mutation(({ ctx, input }) =>
    ctx.deps.access.createToken({
      role: input.role,
      label: input.label,
      projectId: input.projectId ?? null,
      changeId: input.changeId ?? null,
      expiresAt: input.expiresAt === undefined ? null : new Date(input.expiresAt),
    }),
  );

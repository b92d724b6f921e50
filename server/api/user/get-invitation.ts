import { z } from "zod";
import { time } from "../fields";
import { publicProcedure } from "../trpc";
import { linkSecret, personRole } from "./schema";

/** What an open link offers to whoever has it. `email` is null for the first admin, who chooses it. */
export const getInvitation = publicProcedure()
  .input(z.strictObject({ secret: linkSecret }))
  .output(
    z.object({
      kind: z.enum(["first_admin", "invited"]),
      email: z.string().nullable(),
      role: personRole,
      createdByName: z.string().nullable(),
      expiresAt: time,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { kind, email, role, createdByName, expiresAt } = await ctx.deps.people.getInvitation(input.secret);
    return { kind, email, role, createdByName, expiresAt: expiresAt.toISOString() };
  });

import { z } from "zod";
import { actorView } from "../fields";
import { procedure } from "../trpc";
import { personRole } from "./schema";

/** Who asks, and what role that has. `email` is null for tokens. */
export const me = procedure("all")
  .output(
    z.object({
      actor: actorView,
      role: z.enum([...personRole.options, "agent"]),
      email: z.string().nullable(),
    }),
  )
  .query(({ ctx }) => ({
    actor: ctx.caller.actor,
    role: ctx.caller.role,
    email: ctx.signedIn?.person.email ?? null,
  }));

import { z } from "zod";
import { DomainError } from "../../platform/errors";
import { procedure } from "../trpc";
import { sessionView, toSessionView } from "./schema";
import { requireSignedIn } from "./signed-in";

/** Where one is signed in, newest first. An admin may ask for everybody's. */
export const listSessions = procedure("reviewer")
  .input(z.strictObject({ everybody: z.boolean().default(false) }).prefault({}))
  .output(z.object({ items: z.array(sessionView) }))
  .query(async ({ ctx, input }) => {
    if (input.everybody && ctx.caller.role !== "admin") {
      throw new DomainError("auth.forbidden", "Only an admin sees the sessions of others.");
    }
    const personId = input.everybody ? null : requireSignedIn(ctx).person.id;
    const currentId = ctx.signedIn?.sessionId ?? null;
    const sessions = await ctx.deps.people.listSessions(personId);
    return { items: sessions.map((session) => toSessionView(session, currentId)) };
  });

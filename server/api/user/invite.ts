import { z } from "zod";
import { procedure } from "../trpc";
import { email, personRole } from "./schema";

/** Makes a link for one person and shows it, this once. No mail is sent: whoever invites passes it on. */
export const invite = procedure("admin")
  .input(z.strictObject({ email, role: personRole }))
  .output(z.object({ id: z.uuid(), link: z.url() }))
  .mutation(async ({ ctx, input }) => {
    const { id, secret } = await ctx.deps.people.invite({ ...input, actor: ctx.caller.actor });
    return { id, link: `${ctx.deps.settings.publicUrl}/invitations/${secret}` };
  });

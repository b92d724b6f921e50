import { z } from "zod";
import { pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { invitationView, toInvitationView } from "./schema";

/** Invitations without their secrets, newest first, the used and ended ones too. */
export const listInvitations = procedure("admin")
  .input(z.strictObject(pageInput).prefault({}))
  .output(pageOf(invitationView))
  .query(async ({ ctx, input }) => {
    const page = await readPage(input.limit, (limit) =>
      ctx.deps.people.listInvitations({ after: input.cursor ?? null, limit }),
    );
    return { ...page, items: page.items.map(toInvitationView) };
  });

import { z } from "zod";
import { actorView, pageOf, time } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";

const auditView = z.object({
  id: z.uuid(),
  at: time,
  /** Null for the server itself. */
  actor: actorView.nullable(),
  action: z.string(),
  subject: z.string(),
  data: z.record(z.string(), z.json()),
});

/** Who did what, newest first. */
export const list = procedure("admin")
  .input(z.strictObject({ ...pageInput, subject: z.string().max(200).optional() }).prefault({}))
  .output(pageOf(auditView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.adminSettings.listAudit({
        subject: input.subject ?? null,
        after: input.cursor ?? null,
        limit,
      }),
    );
    return { items: items.map((entry) => ({ ...entry, at: entry.at.toISOString() })), nextCursor };
  });

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

const listInput = z.strictObject({
  ...pageInput,
  /** What was acted on. */
  subject: z.string().max(200).optional(),
  /** What has to stand in an entry, in any case of its letters. */
  text: z.string().min(1).max(200).optional(),
});

/** Who did what, newest first. */
export const list = procedure("admin")
  .input(listInput.prefault({}))
  .output(pageOf(auditView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.adminSettings.listAudit({
        subject: input.subject ?? null,
        text: input.text ?? null,
        after: input.cursor ?? null,
        limit,
      }),
    );
    return { items: items.map((entry) => ({ ...entry, at: entry.at.toISOString() })), nextCursor };
  });

import { z } from "zod";
import { id, pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { namesOf } from "./names";
import { monthInput, sessionView, toSessionView } from "./schema";

/** Where the seconds went: every session, newest first, the live ones too; with `month` those that have a share in it, with `runId` those of that Run. */
export const sessions = procedure("reviewer")
  .input(z.strictObject({ ...pageInput, month: monthInput.optional(), runId: id.optional() }).prefault({}))
  .output(pageOf(sessionView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.meter.sessions({
        month: input.month ?? null,
        runId: input.runId ?? null,
        after: input.cursor ?? null,
        limit,
      }),
    );
    const nameOf = await namesOf(ctx.deps, items);
    return { items: items.map((session) => toSessionView(session, nameOf(session))), nextCursor };
  });

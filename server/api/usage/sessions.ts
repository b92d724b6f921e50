import { z } from "zod";
import { pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { sessionView, toSessionView } from "./schema";

/** Where the seconds went: every session, newest first, the live ones too. */
export const sessions = procedure("reviewer")
  .input(z.strictObject(pageInput).prefault({}))
  .output(pageOf(sessionView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.meter.sessions({ after: input.cursor ?? null, limit }),
    );
    return { items: items.map(toSessionView), nextCursor };
  });

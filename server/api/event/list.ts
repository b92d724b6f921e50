import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id, pageOf } from "../fields";
import { limitInput, readPage } from "../page";
import { procedure } from "../trpc";
import { eventView, toEventView, typesInput } from "./schema";

const listInput = z.strictObject({
  /** The last event that the caller knows. */
  after: id.optional(),
  /** The same, as any list's next page is asked for. */
  cursor: id.optional(),
  types: typesInput,
  /** The last events first; the next page then lies before the cursor. */
  newestFirst: z.boolean().default(false),
  limit: limitInput,
});

/** Events in the order in which they were committed; agents read those of their Project, or of their Change and the whole Project. */
export const list = procedure("all")
  .input(listInput.prefault({}))
  .output(pageOf(eventView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.events.list({
        after: input.cursor ?? input.after ?? null,
        types: input.types ?? null,
        ...scopeOf(ctx.caller),
        newestFirst: input.newestFirst,
        limit,
      }),
    );
    return { items: items.map(toEventView), nextCursor };
  });

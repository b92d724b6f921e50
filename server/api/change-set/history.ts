import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { historyKinds } from "../../changesets/history/types";
import { actorView, id, pageOf, time } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";

const historyEntryView = z.object({
  id: z.uuid(),
  changeSetId: z.uuid(),
  version: z.int().min(1),
  at: time,
  /** Null for what a Run or the server did. */
  actor: actorView.nullable(),
  what: z.enum(historyKinds),
  data: z.record(z.string(), z.json()),
});

/** Who did what to which version of the ChangeSet's series, the oldest first. */
export const history = procedure("all")
  .input(z.strictObject({ id, ...pageInput }))
  .output(pageOf(historyEntryView))
  .query(async ({ ctx, input: { id: changeSetId, cursor = null, limit } }) => {
    const { seriesId } = await ctx.deps.changeSets.get(changeSetId, scopeOf(ctx.caller));
    const { items, nextCursor } = await readPage(limit, (size) =>
      ctx.deps.reviewing.history.list({ seriesId, after: cursor, limit: size }),
    );
    return {
      items: items.map(({ seriesId: _seriesId, at, ...entry }) => ({ ...entry, at: at.toISOString() })),
      nextCursor,
    };
  });

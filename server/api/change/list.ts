import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id, pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { changeView, toChangeView } from "./schema";

/** The Changes of one Project, or all that the caller may see; oldest first. */
export const list = procedure("all")
  .input(z.strictObject({ projectId: id.optional(), ...pageInput }).prefault({}))
  .output(pageOf(changeView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.projects.listChanges(input.projectId ?? null, scopeOf(ctx.caller), {
        after: input.cursor ?? null,
        limit,
      }),
    );
    return { items: items.map((change) => toChangeView(change, ctx.deps.settings)), nextCursor };
  });

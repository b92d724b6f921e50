import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id, pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { taskView, toTaskView } from "./schema";

/** The Tasks of one Change, or all that the caller may see; oldest first. */
export const list = procedure("all")
  .input(z.strictObject({ changeId: id.optional(), ...pageInput }).prefault({}))
  .output(pageOf(taskView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.projects.listTasks(input.changeId ?? null, scopeOf(ctx.caller), {
        after: input.cursor ?? null,
        limit,
      }),
    );
    return { items: items.map(toTaskView), nextCursor };
  });

import { z } from "zod";
import { id, pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { runView, toRunView } from "./schema";

/** The Runs of a Task or a Change, or all that the caller may see; oldest first. */
export const list = procedure("all")
  .input(z.strictObject({ taskId: id.optional(), changeId: id.optional(), ...pageInput }).prefault({}))
  .output(pageOf(runView))
  .query(async ({ ctx, input }) => {
    const { taskId = null, changeId = null, cursor = null } = input;
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.workspaces.listRuns(ctx.caller, { taskId, changeId, after: cursor, limit }),
    );
    return { items: items.map(toRunView), nextCursor };
  });

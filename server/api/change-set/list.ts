import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id, pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { changeSetState, changeSetView, toChangeSetView } from "./schema";

const listInput = z.strictObject({
  projectId: id.optional(),
  changeId: id.optional(),
  taskId: id.optional(),
  state: changeSetState.optional(),
  ...pageInput,
});

/** ChangeSets that the caller may see, oldest first. */
export const list = procedure("all")
  .input(listInput.prefault({}))
  .output(pageOf(changeSetView))
  .query(async ({ ctx, input }) => {
    const { projectId = null, changeId = null, taskId = null, state = null, cursor = null } = input;
    const filter = { projectId, changeId, taskId, state, after: cursor, scope: scopeOf(ctx.caller) };
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.changeSets.list({ ...filter, limit }),
    );
    return { items: items.map(toChangeSetView), nextCursor };
  });

import { z } from "zod";
import { count, id, pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { inboxGroup, inboxRowView, toInboxRowView } from "./schema";

const listInput = z.strictObject({
  group: inboxGroup,
  projectId: id.optional(),
  /** Looked for in titles and in the Project's name. */
  search: z.string().trim().min(1).max(200).optional(),
  ...pageInput,
});

/** One group of what waits for somebody. `count` is of the whole group. */
export const list = procedure("reviewer")
  .input(listInput)
  .output(pageOf(inboxRowView).extend({ count }))
  .query(async ({ ctx: { deps }, input }) => {
    let groupCount = 0;
    const page = await readPage(input.limit, async (limit) => {
      const read = await deps.inbox.list({
        group: input.group,
        projectId: input.projectId ?? null,
        search: input.search ?? null,
        after: input.cursor ?? null,
        limit,
      });
      groupCount = read.count;
      return read.rows;
    });
    return { ...page, items: page.items.map((row) => toInboxRowView(row, deps.settings)), count: groupCount };
  });

import { z } from "zod";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { tokenView, toTokenView } from "./schema";

/** Every token without its secret, oldest first, the ended ones too. */
export const list = procedure("admin")
  .input(z.strictObject(pageInput).prefault({}))
  .output(z.object({ items: z.array(tokenView), nextCursor: z.uuid().nullable() }))
  .query(async ({ ctx, input }) => {
    const page = await readPage(input.limit, (limit) =>
      ctx.deps.access.listTokens({ after: input.cursor ?? null, limit }),
    );
    return { ...page, items: page.items.map(toTokenView) };
  });

import { z } from "zod";
import { pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { personView, toPersonView } from "./schema";

/** Everybody, the disabled ones too, oldest first. */
export const list = procedure("admin")
  .input(z.strictObject(pageInput).prefault({}))
  .output(pageOf(personView))
  .query(async ({ ctx, input }) => {
    const page = await readPage(input.limit, (limit) =>
      ctx.deps.people.listPeople({ after: input.cursor ?? null, limit }),
    );
    return { ...page, items: page.items.map(toPersonView) };
  });

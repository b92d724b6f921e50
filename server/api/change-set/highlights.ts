import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { highlightReasons } from "../../changesets/highlights/types";
import { id } from "../fields";
import { procedure } from "../trpc";

const highlight = z.object({
  reason: z.enum(highlightReasons),
  /** The `path` of a row of `changeSet.files`. */
  path: z.string(),
  displayPath: z.string(),
  /** A line of the proposed side. */
  line: z.int().min(1).nullable(),
  detail: z.string(),
});

/** What to look at first in a ChangeSet, the weightiest first. `truncated`: not every changed line was looked at. */
export const highlights = procedure("all")
  .input(z.strictObject({ id }))
  .output(z.object({ items: z.array(highlight), truncated: z.boolean() }))
  .query(({ ctx, input }) => ctx.deps.changeSets.highlights(input.id, scopeOf(ctx.caller)));

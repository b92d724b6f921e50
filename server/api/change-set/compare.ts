import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id } from "../fields";
import { procedure } from "../trpc";
import { changeSetView, diffFileView, toChangeSetView } from "./schema";

const compareInput = z.strictObject({
  ids: z
    .array(id)
    .min(2)
    .max(8)
    .refine((ids) => new Set(ids).size === ids.length, "names a ChangeSet twice"),
});

const comparison = z.object({
  /** In the order of `ids`. */
  changeSets: z.array(changeSetView),
  /** Every path that one of them changes; `sides` stand in the order of `ids`, null for one that leaves it alone. */
  files: z.array(
    z.object({ path: z.string(), displayPath: z.string(), sides: z.array(diffFileView.nullable()) }),
  ),
});

/** What several ChangeSets of one Project change, each against its own base, file by file beside each other. */
export const compare = procedure("reviewer")
  .input(compareInput)
  .output(comparison)
  .query(async ({ ctx, input }) => {
    const compared = await ctx.deps.changeSets.compare(input.ids, scopeOf(ctx.caller));
    const byPath = compared.map(({ files }) => new Map(files.map((file) => [file.path, file])));
    const displayPaths = new Map(
      compared.flatMap(({ files }) => files.map(({ path, displayPath }) => [path, displayPath] as const)),
    );
    return {
      changeSets: compared.map(({ changeSet }) => toChangeSetView(changeSet)),
      files: [...displayPaths]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, displayPath]) => ({
          path,
          displayPath,
          sides: byPath.map((files) => files.get(path) ?? null),
        })),
    };
  });

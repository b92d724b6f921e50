import { z } from "zod";
import { scopeOf } from "../../access/scope";
import type { ChangeSetRecord } from "../../changesets/types";
import { sideBySide } from "../../changesets/comparison";
import type { ApiDeps } from "../context";
import { commit, count, id } from "../fields";
import { procedure } from "../trpc";
import { changeSetView, diffFileView, toChangeSetView } from "./schema";

const compareInput = z.strictObject({
  ids: z
    .array(id)
    .min(2)
    .max(8)
    .refine((ids) => new Set(ids).size === ids.length, "names a ChangeSet twice"),
  /** The last path of the page before. */
  cursor: z.string().min(1).max(16_384).optional(),
  limit: z.int().min(1).max(500).default(200),
});

/** A ChangeSet beside others, with what its attempt came to: all versions of its series. */
const comparedChangeSet = changeSetView.extend({
  /** Of its head: two of the same tree hold the same files. */
  tree: commit,
  /** How many paths it changes that none of the others does. */
  filesOnlyThere: count,
  /** Threads of the series that nobody has resolved. */
  unresolvedThreads: count,
  /** What the Runs of the series were charged, an open session as if it ended now. */
  chargedSeconds: count,
  isSettled: z.boolean(),
});

const comparison = z.object({
  /** In the order of `ids`. */
  changeSets: z.array(comparedChangeSet),
  /** A page of the paths that one of them changes; `sides` stand in the order of `ids`, null for one that leaves it alone. */
  files: z.array(
    z.object({ path: z.string(), displayPath: z.string(), sides: z.array(diffFileView.nullable()) }),
  ),
  /** How many paths there are on all pages. */
  filesTotal: count,
  nextCursor: z.string().nullable(),
});

/** What several ChangeSets of one Project change, each against its own base, file by file beside each other. */
export const compare = procedure("reviewer")
  .input(compareInput)
  .output(comparison)
  .query(async ({ ctx, input }) => {
    const { ids, cursor = null, limit } = input;
    const compared = await ctx.deps.changeSets.compare(ids, scopeOf(ctx.caller));
    const { filesOnlyThere, ...files } = sideBySide(
      compared.map((one) => one.files),
      { after: cursor, limit },
    );
    const changeSets = compared.map(async ({ changeSet, tree }, place) => ({
      ...toChangeSetView(changeSet),
      tree,
      filesOnlyThere: filesOnlyThere[place] ?? 0,
      ...(await seriesSums(ctx.deps, changeSet)),
    }));
    return { changeSets: await Promise.all(changeSets), ...files };
  });

async function seriesSums(
  { changeSets, reviewing, meter }: ApiDeps,
  { id: changeSetId, seriesId, projectId }: ChangeSetRecord,
): Promise<{ unresolvedThreads: number; chargedSeconds: number; isSettled: boolean }> {
  const versions = await changeSets.listVersions(changeSetId, { projectId, changeId: null });
  const [threads, seconds] = await Promise.all([
    reviewing.comments.count(seriesId),
    meter.secondsByRun(versions.map(({ runId }) => runId)),
  ]);
  const sums = [...seconds.values()];
  return {
    unresolvedThreads: threads.unresolved,
    chargedSeconds: sums.reduce((sum, { chargedSeconds }) => sum + chargedSeconds, 0),
    isSettled: sums.every(({ isSettled }) => isSettled),
  };
}

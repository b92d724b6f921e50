import { z } from "zod";
import { placementView } from "../comment/schema";
import { commit, id, time } from "../fields";
import { cutPage, wholePageInput } from "../page";
import { procedure } from "../trpc";
import { draftTargetView } from "./schema";

const draftView = z.object({
  id: z.uuid(),
  changeSetId: z.uuid(),
  version: z.int().min(1),
  headCommit: commit,
  target: draftTargetView,
  body: z.string(),
  savedAt: time,
  /** Where it is in the ChangeSet that was asked for; null for what is not about its lines or files. */
  placement: placementView.nullable(),
});

/** The caller's own drafts of the ChangeSet's series, the oldest first. */
export const list = procedure("reviewer")
  .input(z.strictObject({ changeSetId: id, ...wholePageInput }))
  .output(z.object({ items: z.array(draftView), nextCursor: z.uuid().nullable() }))
  .query(async ({ ctx, input }) => {
    const drafts = await ctx.deps.reviewing.drafts.list(ctx.caller.actor.id, input.changeSetId);
    const items = drafts.map(({ draft: { actorId: _actorId, ...draft }, ...where }) => ({
      ...draft,
      ...where,
      savedAt: draft.savedAt.toISOString(),
    }));
    return cutPage(items, input);
  });

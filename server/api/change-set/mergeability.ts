import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { commit, count, idInput } from "../fields";
import { procedure } from "../trpc";

const mergeabilityView = z.object({
  status: z.enum(["fast_forward", "clean", "conflict", "merged", "unrelated"]),
  branch: z.string(),
  baseCommit: commit.nullable(),
  /** Commits of the branch that the ChangeSet does not have. */
  behindBy: count,
  files: z.array(z.string()),
  /** What a merge commit says unless `changeSet.merge` is given another message. */
  message: z.string(),
  isApproved: z.boolean(),
});

/** How the ChangeSet would merge into the branch as it is now. Nothing is changed. */
export const mergeability = procedure("reviewer")
  .input(idInput)
  .output(mergeabilityView)
  .query(({ ctx, input }) => ctx.deps.reviewing.merges.mergeability(input.id, scopeOf(ctx.caller)));

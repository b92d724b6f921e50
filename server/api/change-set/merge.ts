import { z } from "zod";
import type { MergeAnswer } from "../../changesets/merging/types";
import { commit, id } from "../fields";
import { procedure } from "../trpc";

const mergeInput = z.strictObject({
  id,
  /** The ChangeSet's, as the caller saw it. */
  headCommit: commit,
  /** The branch's, as the caller saw it. */
  baseCommit: commit,
  /** Of the merge commit, where one is made. */
  message: z
    .string()
    .max(20_000)
    .refine((text) => text.trim() !== "", "is empty")
    .refine((text) => !text.includes("\0"), "holds U+0000")
    .optional(),
});

const mergeResult: z.ZodType<MergeAnswer> = z.discriminatedUnion("status", [
  z.object({ status: z.literal("merged"), commit }),
  z.object({
    status: z.literal("refused"),
    reason: z.enum(["not_approved", "conflict", "base_moved", "check_failed"]),
    message: z.string(),
    files: z.array(z.string()).exactOptional(),
  }),
]);

/** Merges the commit that was approved, or nothing. Repeating it gives the same commit. */
export const merge = procedure("reviewer")
  .input(mergeInput)
  .output(mergeResult)
  .mutation(({ ctx, input: { id: changeSetId, message = null, ...input } }) =>
    ctx.deps.reviewing.merges.merge({ ...input, changeSetId, message, actor: ctx.caller.actor }),
  );

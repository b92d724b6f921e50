import { z } from "zod";
import { reviewVerdicts } from "../../changesets/reviews/types";
import type { ReviewComment } from "../../changesets/reviews/service";
import { idempotencyKey } from "../../idempotency/schema";
import { anchorInput, commentBody, commentKind, filePath } from "../comment/schema";
import { commit, id } from "../fields";
import { procedure } from "../trpc";
import { changeSetState } from "./schema";

const reviewComment = z
  .strictObject({
    path: filePath.optional(),
    side: z.enum(["old", "new"]).optional(),
    startLine: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
    kind: commentKind.default("note"),
    /** Answers in this thread; then it names no place. */
    threadId: id.optional(),
    body: commentBody,
  })
  .transform(({ threadId, kind, body, ...place }, context): ReviewComment => {
    const isNowhere = Object.values(place).every((value) => value === undefined);
    if (threadId !== undefined && isNowhere) return { threadId, body };
    const anchor = anchorInput.safeParse(isNowhere ? null : place);
    if (threadId === undefined && anchor.success) return { anchor: anchor.data, kind, body };
    context.addIssue({
      code: "custom",
      message: "names a thread, or a path, or a path with side, startLine and endLine, or none of these",
    });
    return z.NEVER;
  });

const reviewInput = z.strictObject({
  id,
  /** The ChangeSet's, as the caller saw it. */
  headCommit: commit,
  verdict: z.enum(reviewVerdicts),
  summary: z.string().refine((text) => Buffer.byteLength(text) <= 64 * 1024, "is longer than 64 KiB"),
  comments: z.array(reviewComment).max(500).default([]),
  /** Drafts of the caller's that are sent with it. */
  draftIds: z
    .array(id)
    .max(500)
    .refine((ids) => new Set(ids).size === ids.length, "names a draft twice")
    .default([]),
  idempotencyKey,
});

/** Decides on one version, with all that is said about it: everything is written, or nothing. */
export const review = procedure("reviewer")
  .input(reviewInput)
  .output(z.object({ reviewId: z.uuid(), state: changeSetState }))
  .mutation(({ ctx, input: { id: changeSetId, ...input } }) =>
    ctx.deps.reviewing.reviews.review({ ...input, changeSetId, actor: ctx.caller.actor }),
  );

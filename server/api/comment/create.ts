import { z } from "zod";
import { idempotencyKey } from "../../idempotency/schema";
import { commit, id } from "../fields";
import { procedure } from "../trpc";
import { anchorInput, commentBody, commentKind } from "./schema";

const createInput = z.strictObject({
  changeSetId: id,
  /** The ChangeSet's, as the caller saw it. */
  headCommit: commit,
  anchor: anchorInput.default(null),
  /** Answers in this thread; the anchor is the thread's then. */
  threadId: id.optional(),
  kind: commentKind.default("note"),
  body: commentBody,
  idempotencyKey: idempotencyKey.optional(),
});

/** Says one thing at once: opens a thread, or answers in one. */
export const create = procedure("reviewer")
  .input(createInput)
  .output(z.object({ threadId: z.uuid(), commentId: z.uuid() }))
  .mutation(({ ctx, input: { threadId = null, idempotencyKey: key = null, ...input } }) =>
    ctx.deps.reviewing.comments.create({ ...input, threadId, idempotencyKey: key, actor: ctx.caller.actor }),
  );

import { z } from "zod";
import { commit, id, time } from "../fields";
import { procedure } from "../trpc";
import { draftTarget } from "./schema";

const saveInput = z.strictObject({
  /** Chosen by the caller, so that a repeat writes the same draft. */
  id,
  changeSetId: id,
  headCommit: commit,
  target: draftTarget,
  /** An empty one removes the draft. */
  body: z.string().refine((text) => Buffer.byteLength(text) <= 64 * 1024, "is longer than 64 KiB"),
});

/** Keeps what the caller has written so far. Nobody else sees it. */
export const save = procedure("reviewer")
  .input(saveInput)
  .output(z.object({ id: z.uuid(), savedAt: time }))
  .mutation(async ({ ctx, input }) => {
    const saved = await ctx.deps.reviewing.drafts.save({ ...input, actorId: ctx.caller.actor.id });
    return { id: saved.id, savedAt: saved.savedAt.toISOString() };
  });

import { z } from "zod";
import { reviewVerdicts } from "../../changesets/reviews/types";
import { anchorInput, anchorView, commentKind } from "../comment/schema";
import { id } from "../fields";

/** What a draft will be once it is sent. */
export const draftTarget = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("comment"), anchor: anchorInput, kind: commentKind }),
  z.strictObject({ type: z.literal("reply"), threadId: id }),
  z.strictObject({ type: z.literal("review"), verdict: z.enum(reviewVerdicts) }),
]);

export const draftTargetView = z.discriminatedUnion("type", [
  z.object({ type: z.literal("comment"), anchor: anchorView, kind: commentKind }),
  z.object({ type: z.literal("reply"), threadId: z.uuid() }),
  z.object({ type: z.literal("review"), verdict: z.enum(reviewVerdicts) }),
]);

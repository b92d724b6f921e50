import type { Anchor, CommentKind } from "../comments/types";
import type { ReviewVerdict } from "../reviews/types";

/** What a draft will be once it is sent. */
export type DraftTarget =
  | { type: "comment"; anchor: Anchor; kind: CommentKind }
  | { type: "reply"; threadId: string }
  | { type: "review"; verdict: ReviewVerdict };

/** What somebody has written about one version and not sent. Nobody else sees it. */
export interface DraftRecord {
  id: string;
  actorId: string;
  changeSetId: string;
  target: DraftTarget;
  body: string;
  savedAt: Date;
}

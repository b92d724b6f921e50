import type { Actor } from "../../access/types";
import type { ChangeSetState } from "../types";

export const reviewVerdicts = ["approve", "request_changes", "reject", "comment"] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/** What somebody decided on one version of a series. */
export interface ReviewRecord {
  id: string;
  changeSetId: string;
  version: number;
  headCommit: string;
  actor: Actor;
  verdict: ReviewVerdict;
  summary: string;
  /** What the ChangeSet was once this review counted. */
  stateAfter: ChangeSetState;
  idempotencyKey: string;
  createdAt: Date;
}

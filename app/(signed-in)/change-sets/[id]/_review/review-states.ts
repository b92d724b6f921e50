import type { ChangeSetView } from "./types";

const approved: readonly ChangeSetView["state"][] = ["approved", "mergeable", "merge_failed"];
const reviewable: readonly ChangeSetView["state"][] = ["proposed", "changes_requested", ...approved];

/** Whether somebody may still decide on it. */
export function isReviewable(state: ChangeSetView["state"]): boolean {
  return reviewable.includes(state);
}

/** Whether it may be merged, as far as reviews go. */
export function isApproved(state: ChangeSetView["state"]): boolean {
  return approved.includes(state);
}

import type { ReviewVerdict } from "./reviews/types";
import type { ChangeSetState } from "./types";

/** A Run may be opened to revise a ChangeSet in one of these. */
const revisable: readonly ChangeSetState[] = ["proposed", "changes_requested", "approved"];

/** States that a later version of the same series, or another attempt that was merged, ends. In the others it stays. */
export const supersedable: readonly ChangeSetState[] = [
  "proposed",
  "changes_requested",
  "approved",
  "mergeable",
  "merge_failed",
];

/** What may be merged: somebody approved it, and nobody asked for changes since. */
const approvedStates: readonly ChangeSetState[] = ["approved", "mergeable", "merge_failed"];

export function isRevisable(state: ChangeSetState): boolean {
  return revisable.includes(state);
}

export function isApproved(state: ChangeSetState): boolean {
  return approvedStates.includes(state);
}

/**
 * What a review makes of a ChangeSet; null where nobody can review it any more. An approval and a request for changes
 * take each other's place; a rejection is for good.
 */
export function stateAfter(state: ChangeSetState, verdict: ReviewVerdict): ChangeSetState | null {
  if (!supersedable.includes(state)) return null;
  switch (verdict) {
    case "approve":
      return state === "mergeable" ? "mergeable" : "approved";
    case "request_changes":
      return "changes_requested";
    case "reject":
      return "rejected";
    case "comment":
      return state;
  }
}

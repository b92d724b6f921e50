import type { ChangeSetState } from "./types";

/** A Run may be opened to revise a ChangeSet in one of these. */
const revisable: readonly ChangeSetState[] = ["proposed", "changes_requested", "approved"];

/** States that a later version of the same series ends. In the others a ChangeSet was decided on, and stays. */
export const supersedable: readonly ChangeSetState[] = [
  "proposed",
  "changes_requested",
  "approved",
  "mergeable",
  "merge_failed",
];

export function isRevisable(state: ChangeSetState): boolean {
  return revisable.includes(state);
}

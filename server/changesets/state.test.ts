import { describe, expect, it } from "vitest";
import { isApproved, stateAfter } from "./state";
import { changeSetStates } from "./types";

describe("a review", () => {
  it.each([
    ["proposed", "approve", "approved"],
    ["proposed", "request_changes", "changes_requested"],
    ["proposed", "reject", "rejected"],
    ["proposed", "comment", "proposed"],
    ["approved", "request_changes", "changes_requested"],
    ["approved", "approve", "approved"],
    ["changes_requested", "approve", "approved"],
    ["changes_requested", "reject", "rejected"],
    ["mergeable", "approve", "mergeable"],
    ["mergeable", "comment", "mergeable"],
    ["mergeable", "request_changes", "changes_requested"],
    ["merge_failed", "approve", "approved"],
    ["merge_failed", "comment", "merge_failed"],
  ] as const)("of one that is %s with the verdict %s leaves it %s", (state, verdict, after) => {
    expect(stateAfter(state, verdict)).toBe(after);
  });

  it("changes nothing where somebody decided for good", () => {
    const closed = changeSetStates.filter((state) => stateAfter(state, "comment") === null);
    expect(closed).toEqual(["rejected", "merged", "withdrawn", "superseded", "not_chosen"]);
    for (const state of closed) expect(stateAfter(state, "approve")).toBeNull();
  });
});

it("only what was approved, with no request for changes since, can be merged", () => {
  expect(changeSetStates.filter(isApproved)).toEqual(["approved", "mergeable", "merge_failed"]);
});

import { expect, test } from "vitest";
import { describeRun } from "./describe-run";

test("every end but a proposal says what became of the Run and of its work", () => {
  const kinds = ["fail_task", "stopped", "lost", "expired", "archived"] as const;
  for (const endKind of kinds) {
    expect(describeRun({ state: "failed", endKind })).toMatchObject({
      look: "bad",
      meaning: expect.stringContaining("The log stays") as string,
    });
  }
  expect(describeRun({ state: "closed", endKind: "closed" })).toMatchObject({ look: "quiet" });
  expect(describeRun({ state: "no_changes", endKind: "completed" })).toMatchObject({
    title: "Ended with no change",
  });
});

test("a Run that works, or that proposed something, needs no notice", () => {
  expect(describeRun({ state: "open", endKind: null })).toBeNull();
  expect(describeRun({ state: "proposed", endKind: "completed" })).toBeNull();
});

import { expect, it } from "vitest";
import { describeEnd, describeKept } from "./describe-end";
import type { RunRecord } from "./types";

const ended = (end: Pick<RunRecord, "state" | "endKind" | "endReason">): RunRecord => end as RunRecord;

it("an end says how the Run ended, and every repeat of it the same", () => {
  const stopped = ended({ state: "failed", endKind: "stopped", endReason: "enough" });
  expect(describeEnd(stopped, "stopped")).toBe("The Run was stopped: enough.");
});

it("an end that comes second says which one stands", () => {
  const proposed = ended({ state: "proposed", endKind: "completed", endReason: null });
  expect(describeEnd(proposed, "closed")).toBe(
    "The Run had ended before, and that stands: it completed its Task.",
  );
  const failed = ended({ state: "failed", endKind: "fail_task", endReason: "no way" });
  expect(describeEnd(failed, "stopped")).toBe(
    "The Run had ended before, and that stands: it gave its Task up: no way.",
  );
});

it("a proposal is among what is kept of its Run, and of no other", () => {
  expect(describeKept({ state: "proposed" })).toContain("its ChangeSet");
  expect(describeKept({ state: "no_changes" })).not.toContain("ChangeSet");
});

import { expect, it } from "vitest";
import { describeCap } from "./describe-cap";

const facts = { usedSeconds: 100, reservedSeconds: 0, openSeconds: 300 };

it("says what is left, what stands and from when on opens are refused", () => {
  expect(describeCap(1_000, facts)).toBe("15 min will be left this month.");
  expect(describeCap(1_000, { ...facts, reservedSeconds: 300 })).toBe(
    "10 min will be left this month. The 5 min that open workspaces have reserved stand.",
  );
  expect(describeCap(399, facts)).toContain("less than the 5 min that an open reserves: opens are refused");
  expect(describeCap(100, facts)).toContain("every open is refused");
});

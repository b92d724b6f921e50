import { expect, it } from "vitest";
import { describeCap } from "./describe-cap";

it("says what is left under a new cap, and that what is reserved stays", () => {
  expect(describeCap(1000, { usedSeconds: 100, reservedSeconds: 300 })).toMatch(
    /^10 min will be left .* stays reserved/,
  );
  expect(describeCap(400, { usedSeconds: 400, reservedSeconds: 0 })).toMatch(/every open is refused/);
});

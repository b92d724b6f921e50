import { expect, it } from "vitest";
import { topOfScale } from "./scale";

it("holds the largest value and is round, however large it is", () => {
  expect(topOfScale(1)).toBe(60);
  expect(topOfScale(3_600)).toBe(3_600);
  expect(topOfScale(3_601)).toBe(7_200);
  expect(topOfScale(900_000)).toBe(1_036_800);
});

import { describe, expect, test } from "bun:test";
import { total } from "./total";

const lines = [
  { quantity: 3, unitPrice: "0.10" },
  { quantity: 1, unitPrice: "99.70" },
];

describe("total", () => {
  test("adds up the lines without a rounding error", () => {
    expect(total(lines, 0)).toBe("100.00");
  });

  test("takes the discount off", () => {
    expect(total(lines, 20)).toBe("80.00");
  });
});

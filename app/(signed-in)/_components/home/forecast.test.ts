import { expect, test } from "vitest";
import { forecastSeconds } from "./forecast";

test("half of the month used half of what it will", () => {
  expect(forecastSeconds(1_000, new Date("2026-04-16T00:00:00Z"))).toBe(2_000);
});

test("the first day tells nothing", () => {
  expect(forecastSeconds(1_000, new Date("2026-04-01T23:59:59Z"))).toBeNull();
  expect(forecastSeconds(1_000, new Date("2026-04-02T00:00:00Z"))).toBe(30_000);
});

test("the month is that of UTC", () => {
  expect(forecastSeconds(1_000, new Date("2026-04-30T23:30:00Z"))).toBe(1_001);
});

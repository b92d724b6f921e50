import { expect, test } from "vitest";
import { exactTimeWords, relativeTimeWords } from "./relative-time-words";

const now = new Date("2026-12-01T12:00:00Z");

test.each([
  ["2026-12-01T11:59:58Z", "now"],
  ["2026-12-01T11:59:15Z", "45 s ago"],
  ["2026-12-01T11:00:01Z", "59 min ago"],
  ["2026-12-01T11:00:00Z", "1 h ago"],
  ["2026-11-30T11:00:00Z", "1 d ago"],
  ["2026-11-20T12:00:00Z", "20 Nov"],
  ["2025-11-20T12:00:00Z", "20 Nov 2025"],
  ["2026-12-01T12:03:00Z", "in 3 min"],
])("%s reads %s", (at, words) => expect(relativeTimeWords(new Date(at), now)).toBe(words));

test("the exact moment is in UTC wherever the reader is", () => {
  expect(exactTimeWords(new Date("2026-12-01T09:05:07.999Z"))).toBe("2026-12-01 09:05:07 UTC");
});

import { expect, it } from "vitest";
import { toCommitTime } from "./commit-time";

it.each([
  ["1700000000", "2023-11-14T22:13:20.000Z"],
  ["-1", "1969-12-31T23:59:59.000Z"],
  ["18446744073709551615", "+275760-09-13T00:00:00.000Z"],
  ["", "1970-01-01T00:00:00.000Z"],
  ["x", "1970-01-01T00:00:00.000Z"],
])("the claimed time %j is shown as %s", (seconds, shown) => {
  expect(toCommitTime(seconds)).toBe(shown);
});

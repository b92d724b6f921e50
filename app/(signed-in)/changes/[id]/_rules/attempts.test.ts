import { expect, it } from "vitest";
import { attemptsOf } from "./attempts";

it("versions of one series are one attempt, newest first; attempts count per Task", () => {
  const made = [
    { taskId: "t1", seriesId: "a", version: 1 },
    { taskId: "t1", seriesId: "b", version: 1 },
    { taskId: "t2", seriesId: "c", version: 1 },
    { taskId: "t1", seriesId: "a", version: 2 },
  ];
  expect(
    attemptsOf(made).map(({ seriesId, number, versions }) => [
      seriesId,
      number,
      versions.map(({ version }) => version),
    ]),
  ).toEqual([
    ["a", 1, [2, 1]],
    ["b", 2, [1]],
    ["c", 1, [1]],
  ]);
});

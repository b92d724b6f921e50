import { expect, it } from "vitest";
import { comparable, comparedMax, labelsOf } from "./comparable";

it("what is compared is the newest version of each attempt, the latest ones when there are many", () => {
  const made = Array.from({ length: 10 }, (_, n) => ({ taskId: "t", seriesId: `s${n}`, version: 1 }));
  const all = comparable([...made, { taskId: "t", seriesId: "s9", version: 2 }]);
  expect(all).toHaveLength(comparedMax);
  expect(all[0]).toMatchObject({ seriesId: "s2", attempt: 3 });
  expect(all.at(-1)).toMatchObject({ seriesId: "s9", version: 2, attempt: 10 });
});

it("attempts are told apart by letters, and by their Task where there are several", () => {
  const [first, second] = [
    { taskId: "t1", attempt: 1, version: 2 },
    { taskId: "t2", attempt: 1, version: 1 },
  ];
  const tasks = [
    { id: "t1", title: "Build" },
    { id: "t2", title: "Test" },
  ];
  expect(labelsOf([first], tasks)).toEqual([{ name: "A", detail: "attempt 1, v2" }]);
  expect(labelsOf([first, second], tasks)).toEqual([
    { name: "A", detail: "Build, attempt 1, v2" },
    { name: "B", detail: "Test, attempt 1, v1" },
  ]);
});

import { expect, test } from "vitest";
import { mergeShown } from "./shown-rows";

const row = (id: string, word = "") => ({ id, word });

test("rows change in place and stay in their order", () => {
  const { rows, newCount } = mergeShown([row("a", "old"), row("b")], [row("b"), row("a", "new")]);
  expect(rows).toEqual([
    { row: row("a", "new"), isGone: false },
    { row: row("b"), isGone: false },
  ]);
  expect(newCount).toBe(0);
});

test("what left the group stays where it is and says so", () => {
  expect(mergeShown([row("a"), row("b")], [row("b")]).rows[0]).toEqual({ row: row("a"), isGone: true });
});

test("what came since waits and is counted", () => {
  const { rows, newCount } = mergeShown([row("a")], [row("x"), row("a"), row("y")]);
  expect(rows.map((shown) => shown.row.id)).toEqual(["a"]);
  expect(newCount).toBe(2);
});

import { expect, test } from "vitest";
import { createStepKeeper, toShownBytes, toText } from "./list-order";

const entries = (names: readonly string[]): { name: Buffer; mayBeDirectory: boolean }[] =>
  names.map((name) => ({ name: Buffer.from(name), mayBeDirectory: !name.includes(".") }));

function keysOf(
  names: readonly string[],
  options: Partial<Parameters<typeof createStepKeeper>[0]> = {},
): string[] {
  const keeper = createStepKeeper({ prefix: "", after: "", canDescend: true, stepsMax: 1000, ...options });
  for (const entry of entries(names)) keeper.add(entry);
  return keeper.steps().map(({ key }) => toText(key));
}

test("a directory comes before its siblings that sort below its slash, and what is in it after them", () => {
  expect(keysOf(["a", "a.x", "a-b", "b"])).toEqual(["a", "a-b", "a-b/", "a.x", "a/", "b", "b/"]);
});

test("order is by bytes, not by letters or UTF-16", () => {
  expect(keysOf(["é.", "z.", "Z.", "\u{1f600}.", "\uffee."])).toEqual([
    "Z.",
    "z.",
    "é.",
    "\uffee.",
    "\u{1f600}.",
  ]);
});

test("the first steps are kept whatever order entries come in", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `${String(index).padStart(5, "0")}.`);
  const shuffled = [...names].sort((one, other) => (one.slice(3) + one < other.slice(3) + other ? 1 : -1));
  expect(keysOf(shuffled, { stepsMax: 10 })).toEqual(names.slice(0, 10));
  expect(keysOf(shuffled, { stepsMax: 3, after: "00041." })).toEqual(["00042.", "00043.", "00044."]);
});

test("a cursor below a directory goes on below it, and not into what lies before", () => {
  expect(keysOf(["a", "a-b", "b", "c"], { after: "b/x/y" })).toEqual(["b/", "c", "c/"]);
  expect(keysOf(["a", "a-b"], { after: "a-b" })).toEqual(["a-b/", "a/"]);
});

test("names that are no UTF-8 sort as they are shown", () => {
  expect(toText(toShownBytes(Buffer.from([0x61, 0xff])))).toBe("a\ufffd");
});

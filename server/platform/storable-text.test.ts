import { expect, it } from "vitest";
import { toStorableJson, toStorableText } from "./storable-text";

it.each([
  ["", ""],
  ["plain", "plain"],
  ["a\0b\0", "a\u2400b\u2400"],
  ["\uD83D\uDE00 stays", "\uD83D\uDE00 stays"],
  ["\uD83D alone", "\uFFFD alone"],
  ["alone \uDE00", "alone \uFFFD"],
  ["\uDE00\uD83D", "\uFFFD\uFFFD"],
  ["\uD83D\uD83D\uDE00", "\uFFFD\uD83D\uDE00"],
  ["\uD83D\uDE00\uDE00", "\uD83D\uDE00\uFFFD"],
  ["\u0001\u001b[31m", "\u0001\u001b[31m"],
])("%j is stored as %j, and a second time unchanged", (text, stored) => {
  expect(toStorableText(text)).toBe(stored);
  expect(toStorableText(stored)).toBe(stored);
});

it("reaches every text of a nested value, its keys too, and leaves the rest", () => {
  expect(
    toStorableJson({ "k\0": ["\0", { deep: "x\uD800" }], n: 1.5, yes: true, none: null, "": "" }),
  ).toEqual({ "k\u2400": ["\u2400", { deep: "x\uFFFD" }], n: 1.5, yes: true, none: null, "": "" });
});

it("keeps a key named __proto__ as a key", () => {
  const value = JSON.parse('{"__proto__":{"a":1}}') as { [key: string]: string };
  expect(JSON.stringify(toStorableJson(value))).toBe('{"__proto__":{"a":1}}');
});

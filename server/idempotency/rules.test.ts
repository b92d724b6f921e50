import { expect, it } from "vitest";
import { hashBody } from "./rules";

it("gives two bodies that mean the same one hash", () => {
  expect(hashBody({ a: 1, b: { d: [1, 2], c: "x" } })).toBe(hashBody({ b: { c: "x", d: [1, 2] }, a: 1 }));
  expect(hashBody({ a: 1, b: undefined })).toBe(hashBody({ a: 1 }));
});

it.each([
  [{ a: 1 }, { a: "1" }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: null }, {}],
  [{ a: "" }, { a: " " }],
  [{ a: { b: 1 } }, { "a.b": 1 }],
  [JSON.parse('{"__proto__":{"a":1}}') as object, {}],
])("tells %j from %j", (one, other) => {
  expect(hashBody(one)).not.toBe(hashBody(other));
});

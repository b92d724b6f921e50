import { expect, test } from "vitest";
import { factsOf, hrefOfSubject } from "./audit-words";

test("what changed is told in a line, from what to what, and a value that was not set says so", () => {
  expect(factsOf({ after: 71_000, before: null })).toMatchObject([
    { name: "changed", value: "not set → 71000" },
  ]);
  expect(factsOf({ headCommit: "abc", changeId: null })).toMatchObject([
    { name: "head commit", value: "abc" },
  ]);
  expect(factsOf({})).toEqual([]);
});

test("an id is told by its beginning, and whole to who asks", () => {
  const id = "226c0307-ff1a-4bea-9bf6-7750603bae7d";
  expect(factsOf({ projectId: id })).toEqual([{ name: "project id", value: "226c0307", whole: id }]);
});

test("what is too much for a line is left to be unfolded", () => {
  expect(factsOf({ nested: { a: 1 } })).toBeNull();
  expect(factsOf({ before: { a: 1 }, after: null })).toBeNull();
  expect(factsOf({ long: "x ".repeat(500) })).toBeNull();
  expect(factsOf({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 })).toBeNull();
});

test("a subject leads to its page, and never out of the site", () => {
  expect(hrefOfSubject("changeSet.merge", "../../evil")).toBe("/change-sets/..%2F..%2Fevil");
  expect(hrefOfSubject("token.create", "id")).toBeNull();
});

import { expect, test } from "vitest";
import { factsOf, hrefOfSubject } from "./audit-words";

test("what changed is told in a line, and a value that was not set says so", () => {
  expect(factsOf({ before: null, after: 71_000 })).toEqual([
    { name: "before", value: "not set" },
    { name: "after", value: "71000" },
  ]);
  expect(factsOf({ headCommit: "abc", changeId: null })).toEqual([{ name: "head commit", value: "abc" }]);
  expect(factsOf({})).toEqual([]);
});

test("what is too much for a line is left to be unfolded", () => {
  expect(factsOf({ nested: { a: 1 } })).toBeNull();
  expect(factsOf({ long: "x".repeat(500) })).toBeNull();
  expect(factsOf({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toBeNull();
});

test("a subject leads to its page, and never out of the site", () => {
  expect(hrefOfSubject("changeSet.merge", "../../evil")).toBe("/change-sets/..%2F..%2Fevil");
  expect(hrefOfSubject("token.create", "id")).toBeNull();
});

import { describe, expect, test } from "vitest";
import { createFinder, textsOf } from "./search-text";

describe("createFinder", () => {
  test("a text is found as it is written, in any case, and never read as a pattern", () => {
    expect(createFinder("Error: a.b (c)")("x\n  error: A.B (C) here\ny")).toEqual({
      excerpts: ["error: A.B (C) here"],
      matchCount: 1,
    });
    expect(createFinder("a.b")("axb")).toBeNull();
    for (const odd of ["\\", "[", "(?:", "a-b", "{2}", "^$", "|", "/", "é", "𝒳"])
      expect(createFinder(odd)(`before ${odd} behind`)?.matchCount).toBe(1);
  });

  test("colours do not part a word from itself", () => {
    expect(createFinder("2 fail")("\u001b[31m2\u001b[0m fail")).toEqual({
      excerpts: ["2 fail"],
      matchCount: 1,
    });
  });

  test("a match that begins in what stood before is told, one that lies in it is not", () => {
    const find = createFinder("needle");
    expect(find("dle in hay", "one needle, nee")).toEqual({
      excerpts: ["one needle, needle in hay"],
      matchCount: 1,
    });
    expect(find("hay", "one needle")).toBeNull();
  });

  test("a line with several matches is told once, and of many lines only some are told while all are counted", () => {
    expect(createFinder("a")("a a a\nb\na")).toEqual({ excerpts: ["a a a", "a"], matchCount: 4 });
    const many = createFinder("x")("x\n".repeat(100));
    expect(many?.matchCount).toBe(100);
    expect(many?.excerpts.length).toBe(5);
  });

  test("a long line is cut around the match", () => {
    const [excerpt = ""] =
      createFinder("needle")(`${"a".repeat(10_000)}needle${"b".repeat(10_000)}`)?.excerpts ?? [];
    expect(excerpt).toMatch(/^…a+needleb+…$/);
    expect(excerpt.length).toBeLessThan(300);
  });
});

test("textsOf gives what a reader sees of an event, and no ids", () => {
  expect(
    textsOf({ commandId: "abc", command: "bun test", argv: ["bun"], exitCode: 1, diff: { patch: "+x" } }),
  ).toBe("bun test\nbun\n+x");
});

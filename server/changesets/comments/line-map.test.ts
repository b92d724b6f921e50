import { describe, expect, it } from "vitest";
import { mapRange } from "./line-map";
import { readPatch } from "./patch-lines";

const hunksOf = (...heads: string[]) => {
  const bodies = heads.map((head) => {
    const [, , oldCount = "1", , newCount = "1"] = /-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/.exec(head) ?? [];
    return [head, ..."-".repeat(Number(oldCount)), ..."+".repeat(Number(newCount))].join("\n");
  });
  return readPatch(bodies.join("\n")).hunks;
};
const range = (startLine: number, endLine = startLine) => ({ startLine, endLine });

describe("lines of a file in its next version", () => {
  it.each([
    ["nothing changed", [], range(5), "same", 5, 5],
    ["something below changed", ["@@ -9 +9,3 @@"], range(5), "same", 5, 5],
    ["lines were put in above", ["@@ -2,0 +3,4 @@"], range(5, 6), "moved", 9, 10],
    ["lines were taken out above", ["@@ -1,2 +0,0 @@"], range(5), "moved", 3, 3],
    ["as many lines were put in as taken out above", ["@@ -1 +1 @@"], range(5), "same", 5, 5],
    ["lines were put in right above", ["@@ -4,0 +5,2 @@"], range(5), "moved", 7, 7],
    ["lines were put in right below", ["@@ -5,0 +6,2 @@"], range(5), "same", 5, 5],
    ["lines were put in between them", ["@@ -5,0 +6,2 @@"], range(5, 6), "changed", 5, 8],
    ["the line was rewritten", ["@@ -5 +5 @@"], range(5), "changed", 5, 5],
    ["one of them was rewritten into three", ["@@ -5 +5,3 @@"], range(4, 6), "changed", 4, 8],
    ["the first was rewritten with those above", ["@@ -3,3 +3,5 @@"], range(5, 6), "changed", 3, 8],
    ["the last was rewritten with those below", ["@@ -6,4 +6 @@"], range(5, 6), "changed", 5, 6],
    ["one of them was taken out", ["@@ -5 +4,0 @@"], range(5, 7), "changed", 5, 6],
    ["all of them were taken out", ["@@ -4,4 +3,0 @@"], range(5, 6), "line_gone", null, null],
  ] as const)("%s", (_what, heads, lines, status, startLine, endLine) => {
    expect(mapRange(hunksOf(...heads), lines)).toEqual({ status, startLine, endLine });
  });
});

describe("the patch of a file", () => {
  it("gives the lines of both sides by number, whatever they look like", () => {
    const patch = [
      "diff --git a/x b/x",
      "--- a/x",
      "+++ b/x",
      "@@ -1,3 +1,3 @@ head",
      " @@ -9 +9 @@",
      "--- a/x",
      "+++ b/x",
      " last",
      "\\ No newline at end of file",
      "",
    ].join("\n");
    const { hunks, lines } = readPatch(patch);
    expect(hunks).toHaveLength(1);
    expect([...lines.old]).toEqual([
      [1, "@@ -9 +9 @@"],
      [2, "-- a/x"],
      [3, "last"],
    ]);
    expect([...lines.new]).toEqual([
      [1, "@@ -9 +9 @@"],
      [2, "++ b/x"],
      [3, "last"],
    ]);
  });

  it("that is empty has no lines", () => {
    expect(readPatch("")).toMatchObject({ hunks: [] });
  });
});

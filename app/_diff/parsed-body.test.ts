import { describe, expect, test, vi } from "vitest";
import { diffFile } from "./diff-file-fixture";
import { isInHunks, rowsOf } from "./line-rows";

const options = { cacheKey: "k", showsLongLines: false, context: 3 };
const raw = (patch: string, truncated = false) => ({ patch, encoding: "utf8" as const, truncated });

// The library asks which browser it is in when it is read; there is none here.
vi.stubGlobal("navigator", { userAgent: "", platform: "", maxTouchPoints: 0 });
const parsed = await import("./parsed-body");

const patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ head\n a\n-b\n+c\n+d\n e\n";

describe("parseBody", () => {
  test("lines keep the numbers of their side", () => {
    const { fileDiff } = parsed.parseBody(diffFile("x.ts"), raw(patch), options);
    expect(
      rowsOf(fileDiff).map(({ kind, line, text, startsChange }) => [kind, line, text, startsChange]),
    ).toEqual([
      ["context", 3, "a", false],
      ["removed", 4, "b", true],
      ["added", 4, "c", false],
      ["added", 5, "d", false],
      ["context", 6, "e", false],
    ]);
    expect(isInHunks(fileDiff, "new", 6)).toBe(true);
    expect(isInHunks(fileDiff, "old", 6)).toBe(false);
  });

  test("the name comes from the list of files, whatever the patch says", () => {
    const { fileDiff } = parsed.parseBody(diffFile('a "b" \n.ts'), raw(patch), options);
    expect(fileDiff.name).toBe('a "b" \n.ts');
  });

  test("a file whose lines are all there offers no more of them", () => {
    const isPartial = (text: string) =>
      parsed.parseBody(diffFile("x"), raw(text), options).fileDiff.isPartial;
    expect(isPartial("diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n")).toBe(false);
    expect(isPartial("diff --git a/x b/x\n@@ -1,4 +1,4 @@\n-a\n+b\n c\n d\n e\n")).toBe(true);
    expect(isPartial(patch)).toBe(true);
  });

  test("a patch that was cut off is an error, not fewer lines", () => {
    const cut = patch.slice(0, patch.indexOf("+d"));
    expect(() => parsed.parseBody(diffFile("x"), raw(cut), options)).toThrow();
    expect(() => parsed.parseBody(diffFile("x"), raw(patch, true), options)).toThrow("too large");
  });

  test("characters that cannot be seen are counted and written out", () => {
    const { marks, fileDiff } = parsed.parseBody(
      diffFile("x"),
      raw(patch.replace("+c", "+c\u202e")),
      options,
    );
    expect(marks).toBe(1);
    expect(fileDiff.additionLines).toContain("c⟦U+202E⟧\n");
  });

  test("lines that differ only in their end are known as such", () => {
    const file = diffFile("x", { flags: ["line_endings_changed"] });
    const endings = "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-a\n-b\n+a\r\n+b\r\n";
    expect(parsed.parseBody(file, raw(endings), options).isOnlyEndings).toBe(true);
    expect(parsed.parseBody(file, raw(endings.replace("+b", "+c")), options).isOnlyEndings).toBe(false);
  });
});

test("parseSides gives both sides as the lines are shown", () => {
  const { oldFile, newFile } = parsed.parseSides(diffFile("x"), raw(patch), options);
  expect([oldFile?.contents, newFile.contents]).toEqual(["a\nb\ne\n", "a\nc\nd\ne\n"]);
});

import { describe, expect, test } from "vitest";
import { comparedBytesMax, describeChange } from "./mini-diff";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const change = (before: string | null, after: string | null) =>
  describeChange(before === null ? null : bytes(before), after === null ? null : bytes(after));
const numbered = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join("");

describe("describeChange", () => {
  test("a changed line stands between the lines around it, with its place", () => {
    expect(change("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nD\ne\nf\n")).toEqual({
      insertions: 1,
      deletions: 1,
      patch: "@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f",
      truncated: false,
    });
  });

  test("changes far from each other are hunks of their own, each with its true line numbers", () => {
    const after = `new\n${numbered(20)}`.replace("line 20\n", "");
    expect(change(numbered(20), after)?.patch).toBe(
      "@@ -1,2 +1,3 @@\n+new\n line 1\n line 2\n@@ -18,3 +19,2 @@\n line 18\n line 19\n-line 20",
    );
  });

  test("lines that stayed between two changes are not told as changed", () => {
    expect(change("a\nkeep\nb\n", "A\nkeep\nB\n")?.patch).toBe("@@ -1,3 +1,3 @@\n-a\n+A\n keep\n-b\n+B");
  });

  test("a file that is made or deleted is all of one sign", () => {
    expect(change(null, "a\nb\n")?.patch).toBe("@@ -0,0 +1,2 @@\n+a\n+b");
    expect(change("a\nb\n", null)?.patch).toBe("@@ -1,2 +0,0 @@\n-a\n-b");
  });

  test("a change of nothing but a line end shows", () => {
    expect(change("a\n", "a\r\n")?.patch).toBe("@@ -1,1 +1,1 @@\n-a\n+a\r");
    expect(change("a\n", "a")?.patch).toBe("@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file");
  });

  test("what did not change has no hunk", () => {
    expect(change("a\n", "a\n")).toEqual({ insertions: 0, deletions: 0, patch: "", truncated: false });
  });

  test("a large change is cut, says so, and is counted whole", () => {
    const found = change(numbered(10), numbered(5_000, 100));
    expect(found).toMatchObject({ insertions: 5_000, deletions: 10, truncated: true });
    expect(found?.patch.split("\n").length).toBeLessThan(70);
    expect(change("", "x".repeat(5_000))?.patch.length).toBeLessThan(400);
  });

  test("what is no text, or too large to be compared, has no diff", () => {
    expect(describeChange(bytes("a\n"), Uint8Array.of(0, 1))).toBeNull();
    expect(describeChange(null, new Uint8Array(comparedBytesMax + 1).fill(0x61))).toBeNull();
  });
});

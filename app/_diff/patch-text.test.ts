import { describe, expect, test } from "vitest";
import { diffFile } from "./diff-file-fixture";
import { decodePatch, sidesOf, toPlainPatch } from "./patch-text";

const base64 = (bytes: number[]): string => Buffer.from(bytes).toString("base64");

describe("decodePatch", () => {
  test("two different bytes that are not UTF-8 never read alike", () => {
    const read = (byte: number) =>
      decodePatch({ patch: base64([0x2b, byte, 0x0a]), encoding: "base64", truncated: false });
    expect(read(0xe8)).toEqual({ text: "+è\n", isGuessed: true });
    expect(read(0xe9).text).toBe("+é\n");
  });

  test("lines that are UTF-8 stay so beside lines that are not", () => {
    const bytes = [...Buffer.from("+é\n"), 0x2d, 0xe9, 0x0a];
    const { text } = decodePatch({ patch: base64(bytes), encoding: "base64", truncated: false });
    expect(text).toBe("+é\n-é\n");
  });
});

describe("toPlainPatch", () => {
  test("names in the patch have no say, and content that looks like a header is content", () => {
    const patch =
      "diff --git a/x b/y b/x b/y\nindex 1..2 100644\n--- a/evil\n+++ b/evil\n@@ -1 +1,3 @@\n-a\n+b\n+++ b/x\n+@@ -1 +1 @@\n";
    expect(toPlainPatch(patch, diffFile("p"))).toBe(
      "diff --git a/file b/file\n@@ -1 +1,3 @@\n-a\n+b\n+++ b/x\n+@@ -1 +1 @@\n",
    );
  });

  test("a return inside a line does not begin another patch", () => {
    const patch = "diff --git a/x b/x\n@@ -1 +1 @@\n-a\rdiff --git a/z b/z\n+b\n";
    expect(toPlainPatch(patch, diffFile("p"))).toContain("-a\rdiff --git a/z b/z\n+b\n");
  });

  test("a change of type is one change", () => {
    const patch =
      "diff --git a/l b/l\ndeleted file mode 100644\n@@ -1,2 +0,0 @@\n-a\n-b\n" +
      "diff --git a/l b/l\nnew file mode 120000\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n";
    expect(toPlainPatch(patch, diffFile("l", { status: "type_changed" }))).toBe(
      "diff --git a/file b/file\n@@ -1,2 +1 @@\n-a\n-b\n+target\n\\ No newline at end of file\n",
    );
  });

  test("a patch without lines has no hunks", () => {
    expect(toPlainPatch("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", diffFile("x"))).toBe(
      "diff --git a/file b/file\n",
    );
  });
});

describe("sidesOf", () => {
  test("both sides come back byte for byte, the missing last line feed too", () => {
    const patch = "diff --git a/f b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n\\ No newline at end of file\n";
    expect(sidesOf(patch)).toEqual({ old: "a\nb\nd", new: "a\nc\nd" });
  });

  test("a last line feed that only one side has", () => {
    const patch = "diff --git a/f b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n";
    expect(sidesOf(patch)).toEqual({ old: "a", new: "a\n" });
  });
});

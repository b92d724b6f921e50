import { describe, expect, it } from "vitest";
import { addedLinesOf } from "./added-lines";
import { findingsOfLines } from "./line-rules";
import { findSecret } from "./secret-rules";
import type { HighlightReason } from "./types";

const random = "q7Rt2LmX9pZk4VbN8sWd1HyC6uJf3GaE5oTi";

describe("added lines of a patch", () => {
  it("are counted in the proposed side, and no content is taken for a header", () => {
    const patch = [
      "diff --git a/x b/x",
      "--- a/x",
      "+++ b/x",
      "@@ -1,2 +1,3 @@",
      " one",
      "-two",
      "+++ not a header",
      "+three\r",
      "@@ -9,0 +11 @@ where",
      "+@@ -1 +99 @@",
      "\\ No newline at end of file",
    ].join("\n");
    expect(addedLinesOf(patch)).toEqual([
      { line: 2, text: "++ not a header" },
      { line: 3, text: "three" },
      { line: 11, text: "@@ -1 +99 @@" },
    ]);
  });
});

describe("strings that look like secrets", () => {
  it.each([
    ["private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
    ["private key", '"-----BEGIN PRIVATE KEY-----\\nMIIE"'],
    ["AWS key id", `aws = AKIA${"Q".repeat(8)}ABCD1234`],
    ["GitHub token", `ghp_${random}`],
    ["GitLab token", `glpat-${random.slice(0, 20)}`],
    ["Slack token", `xoxb-${random}`],
    ["npm token", `npm_${random}`],
    ["JSON web token", `eyJ${random}.eyJ${random}.${random}`],
    ["password in an address", "postgres://app:hunter2hunter2@db.test/app"],
    ["secret that is assigned", `const apiKey = "${random.slice(0, 24)}";`],
    ["secret that is assigned", `SESSION_SECRET: '${random.slice(0, 24)}'`],
    ["long token", `x = "${random}${random.slice(0, 8)}"`],
  ])("%s is found, and never told in full", (kind, text) => {
    const found = findSecret(text);
    expect(found?.kind).toBe(kind);
    expect(found?.masked).not.toContain(random.slice(0, 12));
    expect(found?.masked).not.toContain("hunter2");
    expect(found?.masked).not.toContain("ABCD1234");
  });

  it.each([
    ["a commit", "base: 9a9513a48cb4e7b3a5d46d3c5a2f1e0d9c8b7a65"],
    ["a digest", `integrity sha512-${random}${random}${random}==`],
    ["an image in the text", `url(data:image/png;base64,${random}${random})`],
    ["a long name", "const theVeryLongNameOfAFunctionThatSomebodyWroteOneDay1 = 1;"],
    ["a path", 'import x from "../../packages/core/src/components/buttons/primary/button-with-icon";'],
    ["a placeholder", 'password = "changeme-changeme-changeme"'],
    ["an address with a variable", "postgres://${user}:${password}@db/app"],
    ["a public key", "-----BEGIN PUBLIC KEY-----"],
  ])("%s is none", (_what, text) => {
    expect(findSecret(text)).toBeNull();
  });

  it("a hostile line of a million characters costs no more than a plain one", () => {
    for (const piece of ["a", "secret_", "eyJ", "://a:", "A1b", '="'])
      expect(() => findSecret(piece.repeat(1_000_000 / piece.length))).not.toThrow();
  });
});

describe("what a line shows", () => {
  const inTest = { isTest: true, isMachineMade: false };
  const inCode = { isTest: false, isMachineMade: false };
  const reasonsOf = (text: string, context = inTest): HighlightReason[] =>
    findingsOfLines([{ line: 7, text }], context).map(({ reason }) => reason);

  it.each<[string, HighlightReason[]]>([
    ["  it.skip('adds', () => {", ["skipped_test"]],
    ["describe.skip('x', f)", ["skipped_test"]],
    ["  xit('adds', () => {", ["skipped_test"]],
    ["  test.skipIf(true)('adds', f)", ["skipped_test"]],
    ["@pytest.mark.skip(reason='x')", ["skipped_test"]],
    ["    t.Skip()", ["skipped_test"]],
    ["#[ignore]", ["skipped_test"]],
    ["  it.only('adds', () => {", ["focused_test"]],
    ["  describe.concurrent.only('adds', f)", ["focused_test"]],
    ["  fit('adds', f)", ["focused_test"]],
    ["  it('adds', () => {", []],
    ["  exit(1); benefit(2); cursor.skip(3);", []],
    ["<<<<<<< HEAD", ["conflict_markers"]],
    [">>>>>>> theirs", ["conflict_markers"]],
    ["=======", []],
    ["if (a) {\u202e // b", ["invisible_or_bidi"]],
    ["const a\u200bb = 1", ["invisible_or_bidi"]],
    ["const café = '☕';", []],
  ])("%j", (text, reasons) => {
    expect(reasonsOf(text)).toEqual(reasons);
  });

  it("skips are looked for in tests only, secrets not in files of a machine's making", () => {
    expect(reasonsOf("it.skip('x')", inCode)).toEqual([]);
    expect(reasonsOf(`x ghp_${random}`, { isTest: false, isMachineMade: true })).toEqual([]);
  });

  it("one finding a reason, at its first line, with the count of the others", () => {
    const lines = [3, 5, 9].map((line) => ({ line, text: "it.skip('x')" }));
    expect(findingsOfLines(lines, inTest)).toEqual([
      { reason: "skipped_test", line: 3, detail: "A test that is not run. (and 2 more here)" },
    ]);
  });
});

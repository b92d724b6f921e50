import { describe, expect, it } from "vitest";
import { isErrorLine, plainText, styleAfter, toSpans } from "./terminal-text";

const escape = "\u001b";

describe("a line of a program's output", () => {
  it("keeps colours as ours, and every character of the text", () => {
    expect(toSpans("", `${escape}[31mfail${escape}[0m and ${escape}[1;32mpass${escape}[0m`)).toEqual([
      { text: "fail", tone: "bad", isBold: false, isDim: false },
      { text: " and ", tone: null, isBold: false, isDim: false },
      { text: "pass", tone: "good", isBold: true, isDim: false },
    ]);
  });

  it.each([
    ["a link", `${escape}]8;;javascript:alert(1)\u0007here${escape}]8;;\u0007`, "here"],
    ["a link ended otherwise", `${escape}]8;;https://x.test${escape}\\here${escape}]8;;${escape}\\`, "here"],
    ["a title", `${escape}]0;owned\u0007text`, "text"],
    ["a clipboard write", `${escape}]52;c;ZXZpbA==\u0007text`, "text"],
    ["a screen clear", `before${escape}[2J${escape}[Hafter`, "beforeafter"],
    ["a cursor move", `safe${escape}[4Devil`, "safeevil"],
    ["a device string", `${escape}Pq#0${escape}\\text`, "text"],
    ["a short escape", `${escape}cte${escape}7xt`, "text"],
    ["a sequence that is cut off", `text${escape}[3`, "text"],
    ["a string that never ends", `text${escape}]0;and then nothing`, "text"],
    ["a lone escape", `text${escape}`, "text"],
    ["a colour with odd parameters", `${escape}[>4;1mtext`, "text"],
    ["markup", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ])("%s leaves only text", (_name, line, text) => {
    expect(
      toSpans("", line)
        .map((span) => span.text)
        .join(""),
    ).toBe(text);
    expect(plainText(line)).toBe(text);
  });

  it("a look is held until it is taken back, and never grows without bound", () => {
    expect(styleAfter("", `${escape}[31ma`)).toBe(`${escape}[31m`);
    expect(styleAfter(`${escape}[31m`, `b${escape}[m`)).toBe("");
    expect(styleAfter("", `${escape}[1m`.repeat(1_000)).length).toBeLessThan(100);
  });

  it.each([
    "error: expect(received).toBe(expected)",
    "(fail) total > takes the discount off [0.40ms]",
    " 1 fail",
    "Tests: 2 failed, 5 passed",
    "src/total.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "TypeError: undefined is not an object",
    "java.lang.IllegalStateException: closed",
    "    panic: runtime error",
    "npm ERR! code E404",
    "not ok 4 - adds",
    "fatal: not a git repository",
    "src/a.c:3:1: error: expected ';'",
  ])("that tells of a failure is one to jump to: %s", (line) => {
    expect(isErrorLine(line)).toBe(true);
  });

  it.each([
    "(pass) total > adds up the lines without a rounding error [1.47ms]",
    '10 |   test("adds up the lines without a rounding error", () => {',
    " 0 fail",
    "✓ shows an error page",
    "ok 3 - fails well",
    "compiling src/errors.ts",
    "failover is configured",
  ])("that only speaks of one is none: %s", (line) => {
    expect(isErrorLine(line)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { isErrorLine, toLines } from "./terminal-text";

const escape = "\u001b";

/** What a reader sees, line by line. */
function seen(output: string): string[] {
  return toLines(output).map(({ spans }) => spans.map(({ text }) => text).join(""));
}

describe("output of a program", () => {
  it("keeps colours as ours, and every character of the text", () => {
    const [line] = toLines(`${escape}[31mfail${escape}[0m and ${escape}[1;32mpass${escape}[0m`);
    expect(line?.spans).toEqual([
      { text: "fail", tone: "bad", isBold: false, isDim: false },
      { text: " and ", tone: null, isBold: false, isDim: false },
      { text: "pass", tone: "good", isBold: true, isDim: false },
    ]);
  });

  it("a colour goes on over the end of a line", () => {
    expect(toLines(`${escape}[31ma\nb${escape}[0m`).map(({ spans }) => spans[0]?.tone)).toEqual([
      "bad",
      "bad",
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
  ])("%s leaves only text", (_name, output, text) => {
    expect(seen(output)).toEqual([text]);
  });

  it("shows the last frame of a progress bar, and how many there were before", () => {
    const frames = Array.from({ length: 1000 }, (_, n) => `\r ${n} %`).join("");
    const [line] = toLines(`${frames}\ndone`);
    expect(line?.spans.map(({ text }) => text).join("")).toBe(" 999 %");
    expect(line?.frames).toBe(999);
    expect(seen("a\r\nb\r\n")).toEqual(["a", "b", ""]);
  });

  it("markup stays text", () => {
    expect(seen("<img src=x onerror=alert(1)>")).toEqual(["<img src=x onerror=alert(1)>"]);
  });

  it("a megabyte of colours is shown plain, without one span for each", () => {
    const [line] = toLines(`${`${escape}[31m${escape}[32m`.repeat(100_000)}text`);
    expect(line?.spans).toEqual([{ text: "text", tone: null, isBold: false, isDim: false }]);
  });
});

describe("a line of output", () => {
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

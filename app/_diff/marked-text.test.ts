import { describe, expect, test } from "vitest";
import { cutLongLines, markUnseen } from "./marked-text";

describe("markUnseen", () => {
  test("a character that hides or turns text is written as its code", () => {
    expect(markUnseen("a\u202eb\u200bc\u0000")).toEqual({ text: "a⟦U+202E⟧b⟦U+200B⟧c⟦U+0000⟧", marks: 3 });
    expect(markUnseen("\u{e0041}").text).toBe("⟦U+E0041⟧");
  });

  test("line ends and tabs stay, a return inside a line does not", () => {
    expect(markUnseen("a\tb\r\nc\n")).toEqual({ text: "a\tb\r\nc\n", marks: 0 });
    expect(markUnseen("a\rb\n").text).toBe("a⟦U+000D⟧b\n");
  });
});

describe("cutLongLines", () => {
  test("only long lines are cut, and say how much is missing", () => {
    const { text, cutLines } = cutLongLines(`short\n${"x".repeat(15)}\nend`, 10);
    expect(text).toBe(`short\n${"x".repeat(10)} ⟪5 more characters⟫\nend`);
    expect(cutLines).toBe(1);
  });

  test("a text without long lines is the same text", () => {
    expect(cutLongLines("a\nb\n", 10)).toEqual({ text: "a\nb\n", cutLines: 0 });
  });
});

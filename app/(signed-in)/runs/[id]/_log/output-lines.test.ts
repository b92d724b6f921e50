import { describe, expect, it } from "vitest";
import { appendOutput, countLines, emptyOutput, findLine, lineAt, lineOfPiece } from "./output-lines";
import { plainText, toSpans } from "./terminal-text";

const escape = "\u001b";

function outputOf(...pieces: string[]) {
  const output = emptyOutput();
  pieces.forEach((text, index) => appendOutput(output, index + 1, text));
  return output;
}

/** What a reader sees, line by line. */
function seen(...pieces: string[]): string[] {
  const output = outputOf(...pieces);
  return Array.from({ length: countLines(output) }, (_, line) => plainText(lineAt(output, line)?.text ?? ""));
}

describe("output of a program", () => {
  it("is the same lines in whatever pieces it arrives", () => {
    const text = `one\ntwo ${escape}[31mred${escape}[0m\r\n10 %\r20 %\rdone\n\nlast`;
    const whole = seen(text);
    expect(whole).toEqual(["one", "two red", "done", "", "last"]);
    expect(seen(...text)).toEqual(whole);
  });

  it("a line end that arrives in two pieces is one, and so is a sequence", () => {
    expect(seen("a\r", "\nb")).toEqual(["a", "b"]);
    expect(seen(`a${escape}`, "[3", "1mb")).toEqual(["ab"]);
    expect(seen(`a${escape}]0;tit`, "le\u0007b")).toEqual(["ab"]);
  });

  it("shows the last frame of a progress bar, and how many there were before", () => {
    const frames = Array.from({ length: 1000 }, (_, n) => `\r ${n} %`);
    for (const output of [outputOf(`${frames.join("")}\ndone`), outputOf(...frames, "\ndone")]) {
      expect(lineAt(output, 0)).toMatchObject({ text: " 999 %", frames: 999 });
      expect(lineAt(output, 1)?.text).toBe("done");
    }
  });

  it("a colour goes on over the end of a line, until it is taken back", () => {
    const output = outputOf(`${escape}[31ma\nb${escape}[0m\nc`);
    const tones = [0, 1, 2].map((line) => {
      const { style, text } = lineAt(output, line) ?? { style: "", text: "" };
      return toSpans(style, text)[0]?.tone;
    });
    expect(tones).toEqual(["bad", "bad", null]);
  });

  it("knows the lines that read like failures, and which line a piece began in", () => {
    const output = outputOf("ok\n", "error: no\n 0 fail\n", " 3 fail\nhalf", " a line\n");
    expect(output.errorLines).toEqual([1, 3]);
    expect([1, 2, 3, 4, 5].map((seq) => lineOfPiece(output, seq))).toEqual([0, 1, 3, 4, null]);
    expect(findLine(output, "A LINE", 0)).toBe(4);
    expect(findLine(output, "ok", 1)).toBeNull();
  });

  it("is held in bounds: the beginning goes, the lines keep their numbers, and one without an end is cut", () => {
    const output = emptyOutput();
    for (let piece = 0; piece < 30; piece++)
      appendOutput(output, piece + 1, `${"x".repeat(99)}\n`.repeat(10_000));
    expect(countLines(output)).toBe(300_000);
    expect(output.lines.length).toBeLessThanOrEqual(200_000);
    expect(lineAt(output, 0)).toBeUndefined();
    expect(lineAt(output, 299_999)?.text).toBe("x".repeat(99));
    const long = outputOf("y".repeat(100_000));
    expect(countLines(long)).toBeGreaterThan(5);
    expect(outputOf(...Array.from({ length: 100 }, (_, n) => `\r${n}`.repeat(1_000))).lines).toEqual([]);
  });

  it("a megabyte of colours is shown plain, without one span for each", () => {
    const [line] = outputOf(`${`${escape}[31m${escape}[32m`.repeat(100_000)}text\n`).lines;
    expect(toSpans("", line?.text ?? "")).toEqual([
      { text: "text", tone: null, isBold: false, isDim: false },
    ]);
  });
});

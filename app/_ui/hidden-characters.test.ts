import { describe, expect, test } from "vitest";
import { nameHiddenCharacters, splitHiddenCharacters, type TextKind } from "./hidden-characters";

const shown = (text: string, kind: TextKind = "line") => nameHiddenCharacters(text, kind);

describe("splitHiddenCharacters", () => {
  test("names every character that turns or hides text", () => {
    const ranges: [number, number][] = [
      [0x0000, 0x0008],
      [0x007f, 0x009f],
      [0x00ad, 0x00ad],
      [0x061c, 0x061c],
      [0x200b, 0x200f],
      [0x2028, 0x202e],
      [0x2060, 0x2069],
      [0xfeff, 0xfeff],
      [0xfe00, 0xfe0e],
      [0xd800, 0xd801],
      [0xe0000, 0xe007f],
      [0xe0100, 0xe01ef],
    ];
    for (const [first, last] of ranges) {
      for (let codePoint = first; codePoint <= last; codePoint += 1) {
        const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
        expect(shown(`a${String.fromCodePoint(codePoint)}b`), name).toBe(`a[${name}]b`);
      }
    }
  });

  test("a name that reads otherwise than it is loses its disguise", () => {
    expect(shown("invoice\u202Egpj.exe")).toBe("invoice[U+202E]gpj.exe");
  });

  test("leaves words of all scripts, emoji and tabs as they are", () => {
    for (const text of ["naïve Straße", "日本語", "عربى", "שלום", "❤\uFE0F 🙂", "a\tb", ""])
      expect(shown(text)).toBe(text);
  });

  test("a line end stays where several lines are shown, and is named in one line", () => {
    expect(shown("a\nb\r\nc", "lines")).toBe("a\nb\r\nc");
    expect(shown("a\nb")).toBe("a[U+000A]b");
    expect(shown("100 %\rdone", "lines")).toBe("100 %[U+000D]done");
  });

  test("no two names look the same: tabs and spaces at the ends of a part are named", () => {
    expect(shown(" a b ", "name")).toBe("[U+0020]a b[U+0020]");
    expect(shown("a /  b/c", "name")).toBe("a[U+0020]/[U+0020][U+0020]b/c");
    expect(shown("a\tb\n", "name")).toBe("a[U+0009]b[U+000A]");
    expect(shown(" a b ")).toBe(" a b ");
  });

  test("loses nothing: the parts put together are the text", () => {
    const text = "\u200Ba\u200B\u200Bb\uD800";
    const parts = splitHiddenCharacters(text, "line");
    const back = parts.map((part) =>
      part.kind === "text" ? part.text : String.fromCodePoint(Number.parseInt(part.codePoint.slice(2), 16)),
    );
    expect(back.join("")).toBe(text);
  });
});

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../platform/errors";
import { describeContent, readContent, type ContentRange } from "./content";

const everything: ContentRange = { startLine: undefined, endLine: undefined, bytesMax: 1_000_000 };

function describeText(text: string | Uint8Array, range: Partial<ContentRange> = {}) {
  const bytes = Buffer.from(text);
  return describeContent({ bytes, sizeBytes: bytes.length }, { ...everything, ...range });
}

describe("text is given exactly", () => {
  it.each(["a\nb", "a\r\nb\r\n", "\ufeffa", "", "é☕😀", "a\u001b[31m"])("%j", (text) => {
    expect(describeText(text)).toEqual({
      encoding: "utf8",
      content: text,
      sha256: createHash("sha256").update(text).digest("hex"),
      sizeBytes: Buffer.byteLength(text),
      lineCount: expect.any(Number) as number,
      truncated: false,
    });
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\n", 2],
    ["a\r\nb\r\n", 2],
  ])("%j has %d lines", (text, lineCount) => {
    expect(describeText(text).lineCount).toBe(lineCount);
  });

  it.each([
    [2, 3, "b\nc\n"],
    [1, 1, "a\n"],
    [4, 4, "d"],
    [3, undefined, "c\nd"],
    [undefined, 2, "a\nb\n"],
    [4, 400, "d"],
    [9, 12, ""],
  ])("lines %s to %s", (startLine, endLine, content) => {
    const range = { ...everything, startLine, endLine };
    const bytes = Buffer.from("a\nb\nc\nd");
    const described = describeContent({ bytes, sizeBytes: 7 }, range);
    expect(described).toMatchObject({ content, truncated: false, lineCount: 4, sizeBytes: 7 });
  });

  it("a cut never splits a character, and is said", () => {
    expect(describeText("a☕b", { bytesMax: 3 })).toMatchObject({
      content: "a",
      truncated: true,
      lineCount: 1,
    });
    expect(describeText("a☕b", { bytesMax: 4 })).toMatchObject({ content: "a☕", truncated: true });
    expect(describeText("a☕b", { bytesMax: 5 })).toMatchObject({ content: "a☕b", truncated: false });
    expect(describeText("aaa\nbbb\n", { startLine: 2, bytesMax: 2 })).toMatchObject({
      content: "bb",
      truncated: true,
    });
  });
});

describe("of a file that was not read whole", () => {
  const bytes = Buffer.from("aa\nbb\nc☕").subarray(0, 9);
  const part = (startLine?: number, endLine?: number) =>
    describeContent({ bytes, sizeBytes: 1_000 }, { ...everything, startLine, endLine });

  it("neither hash nor line count is guessed, and no character is split", () => {
    expect(part()).toEqual({
      encoding: "utf8",
      content: "aa\nbb\nc☕".slice(0, 7),
      sha256: null,
      sizeBytes: 1_000,
      lineCount: null,
      truncated: true,
    });
  });

  it("lines that were read are whole, others are truncated", () => {
    expect(part(1, 2)).toMatchObject({ content: "aa\nbb\n", truncated: false });
    expect(part(2, 3)).toMatchObject({ content: "bb\nc", truncated: true });
    expect(part(7, 9)).toMatchObject({ content: "", truncated: true });
    expect(
      describeContent({ bytes: Buffer.from("a\nb\n"), sizeBytes: 9 }, { ...everything, endLine: 2 }),
    ).toMatchObject({
      content: "a\nb\n",
      truncated: false,
    });
  });
});

describe("what is no UTF-8 text is base64", () => {
  it.each([
    ["a NUL", Buffer.from("a\0b")],
    ["UTF-16", Buffer.from("\ufeffabc", "utf16le")],
    ["a lone surrogate in UTF-8's clothes", Buffer.from([0xed, 0xa0, 0x80])],
    ["an ending inside a character", Buffer.from([0x61, 0xc3])],
  ])("%s", (_name, bytes) => {
    expect(describeText(bytes)).toMatchObject({
      encoding: "base64",
      content: bytes.toString("base64"),
      lineCount: null,
      truncated: false,
    });
  });

  it("and is cut where asked", () => {
    const bytes = Buffer.alloc(71_000);
    const described = describeText(bytes, { bytesMax: 100 });
    expect(described).toMatchObject({ sizeBytes: 71_000, truncated: true });
    expect(Buffer.from(described.content, "base64")).toHaveLength(100);
  });

  it("and has no lines to ask for", () => {
    expect(() => describeText("a\0b", { startLine: 1 })).toThrow(/binary, 3 bytes/);
  });
});

describe("what is to be written", () => {
  it("is exactly what was given", () => {
    expect(readContent({ content: "\ufeffx", encoding: "utf8" })).toEqual(Buffer.from("\ufeffx"));
    expect(readContent({ content: "a\0\r\n", encoding: "utf8" })).toEqual(Buffer.from("a\0\r\n"));
    expect(readContent({ content: "iVBORw==", encoding: "base64" })).toEqual(
      Buffer.from([0x89, 0x50, 0x4e, 0x47]),
    );
    expect(readContent({ content: "", encoding: "base64" })).toHaveLength(0);
  });

  it("half a surrogate pair becomes U+FFFD, since UTF-8 has no form for it", () => {
    expect(Buffer.from(readContent({ content: "a\ud800", encoding: "utf8" })).toString()).toBe("a\ufffd");
  });

  it.each(["a", "iVBORw", "iVBO Rw==", "iVBO\nRw==", "i_BORw==", "é"])("%j is no base64", (content) => {
    expect(() => readContent({ content, encoding: "base64" })).toThrow(DomainError);
  });

  it("is at most 10 MiB, counted in bytes", () => {
    const bytesMax = 10 * 1024 * 1024;
    expect(readContent({ content: "a".repeat(bytesMax), encoding: "utf8" })).toHaveLength(bytesMax);
    expect(() => readContent({ content: "é".repeat(bytesMax / 2) + "a", encoding: "utf8" })).toThrow(
      /at most 10 MiB/,
    );
  });
});

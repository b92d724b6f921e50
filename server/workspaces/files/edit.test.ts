import { describe, expect, it } from "vitest";
import { DomainError } from "../../platform/errors";
import { applyEdit, fileBytesMax } from "./edit";

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

function edit(before: string | Uint8Array, oldText: string, newText: string, replaceAll = false) {
  const bytes = typeof before === "string" ? Buffer.from(before) : before;
  const result = applyEdit(bytes, { oldText, newText, replaceAll });
  return { text: Buffer.from(result.bytes).toString("latin1"), replacements: result.replacements };
}

function faultOf(
  before: string | Uint8Array,
  oldText: string,
  newText = "x",
  replaceAll = false,
): DomainError {
  try {
    edit(before, oldText, newText, replaceAll);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("was edited");
}

describe("exactly one place is replaced, literally", () => {
  it.each([
    ["a\nb", "b", "B", "a\nB"],
    ["a\nb\n", "b", "B", "a\nB\n"],
    ["a\nb\n", "b\n", "", "a\n"],
    ["abc", "b", "$&$1$$`'", "a$&$1$$`'c"],
    ["abc", "abc", "", ""],
    ["a.c abc", "a.c", "x", "x abc"],
    ["a\tb", "\t", "    ", "a    b"],
  ])("%j: %j → %j", (before, oldText, newText, after) => {
    expect(edit(before, oldText, newText)).toEqual({ text: after, replacements: 1 });
  });

  it("replaces every place when asked, from the left, none twice", () => {
    expect(edit("aaa", "aa", "b", true)).toEqual({ text: "ba", replacements: 1 });
    expect(edit("a-a-a", "a", "aa", true)).toEqual({ text: "aa-aa-aa", replacements: 3 });
    expect(edit("x", "x", "y", true)).toEqual({ text: "y", replacements: 1 });
  });

  it("leaves the bytes that it was given as they were", () => {
    const bytes = Buffer.from("abc");
    applyEdit(bytes, { oldText: "b", newText: "x", replaceAll: false });
    expect(bytes.toString()).toBe("abc");
  });

  it("works on characters of any length", () => {
    const { bytes } = applyEdit(Buffer.from("é☕😀"), { oldText: "☕", newText: "茶", replaceAll: false });
    expect(Buffer.from(bytes).toString()).toBe("é茶😀");
  });
});

describe("line ends stay as they are", () => {
  const crlf = "const a = 1;\r\nconst b = 2;\r\nconst c = 3;\r\n";
  const edited = "const a = 1;\r\nconst b = 20;\r\nconst c = 3;\r\n";

  it.each([
    ["const b = 2;\nconst c = 3;", "const b = 20;\nconst c = 3;"],
    ["const b = 2;\r\nconst c = 3;", "const b = 20;\r\nconst c = 3;"],
    ["const b = 2;\r\nconst c = 3;", "const b = 20;\nconst c = 3;"],
    ["const b = 2;", "const b = 20;"],
    ["b = 2;\n", "b = 20;\n"],
    ["\nconst b = 2;", "\nconst b = 20;"],
  ])("in a CRLF file %j finds its lines, and one line differs", (oldText, newText) => {
    expect(edit(crlf, oldText, newText).text).toBe(edited);
  });

  it.each([
    ["a\r\nb\r\n", "a", "a\nx", "a\r\nx\r\nb\r\n"],
    ["a\r\nb", "b", "b\nc", "a\r\nb\r\nc"],
    ["a\nb", "b", "b\nc", "a\nb\nc"],
    ["a", "a", "a\nb", "a\nb"],
    ["a\r\nb\r\n", "\n", "\n\n", "ambiguous"],
    ["a\r\nb", "\n", "\n\n", "a\r\n\r\nb"],
    ["a\r\nb", "\nb", "\nb\nc", "a\r\nb\r\nc"],
  ])("new lines in %j take the line ends of their place: %j → %j", (before, oldText, newText, after) => {
    if (after === "ambiguous") expect(faultOf(before, oldText, newText).code).toBe("edit.ambiguous");
    else expect(edit(before, oldText, newText).text).toBe(after);
  });

  it("each place of a mixed file keeps its own", () => {
    expect(edit("x\r\ny\nx\ny\r\n", "x\n", "z\nz\n", true).text).toBe("z\r\nz\r\ny\nz\nz\ny\r\n");
    expect(edit("x\r\ny\nx\n", "x", "z\nz", true).text).toBe("z\r\nz\r\ny\nz\nz\n");
    expect(faultOf("x\r\ny\nx\ny\r\n", "x\n").details).toEqual({ count: 2, lines: [1, 3] });
  });

  it("a text over lines that end differently is not found, rather than made the same", () => {
    expect(faultOf("a\r\nb\nc\n", "a\nb\nc\n").code).toBe("edit.no_match");
    expect(edit("a\r\nb\nc\n", "a\r\nb\nc", "a\r\nB\nc").text).toBe("a\r\nB\nc\n");
  });

  it("a carriage return in the text is taken at its word", () => {
    expect(faultOf("a\nb\n", "a\r\nb").code).toBe("edit.no_match");
    expect(edit("a\r\nb", "a\r\nb", "a\nb\rc").text).toBe("a\nb\rc");
  });
});

describe("a byte order mark stays, and belongs to no line", () => {
  const withMark = (text: string) => Buffer.concat([mark, Buffer.from(text)]);

  it.each([
    ["export const v = 1;", "export const v = 2;"],
    ["\ufeffexport const v = 1;", "\ufeffexport const v = 2;"],
    ["\ufeffexport const v = 1;", "export const v = 2;"],
  ])("%j is found on line 1", (oldText, newText) => {
    const { bytes } = applyEdit(withMark("export const v = 1;\n"), { oldText, newText, replaceAll: false });
    expect(Buffer.from(bytes)).toEqual(withMark("export const v = 2;\n"));
  });

  it("alone is no text to look for", () => {
    expect(faultOf(withMark("a"), "\ufeff").code).toBe("input.invalid");
  });
});

describe("what is refused changes nothing and says why", () => {
  it("an empty text", () => {
    expect(faultOf("abc", "", "X", true).code).toBe("input.invalid");
  });

  it("a text that is there twice: how often, and at which lines", () => {
    const fault = faultOf(
      "def dev():\n    debug = True\n\ndef prod():\n    debug = True\n",
      "    debug = True",
    );
    expect(fault.code).toBe("edit.ambiguous");
    expect(fault.details).toEqual({ count: 2, lines: [2, 5] });
    expect(fault.message).toContain("2 times, in lines 2, 5;");
  });

  it("a text that is several times in a line: the line once, and the lines of a long list cut", () => {
    const fault = faultOf("x x\ny\nx x x\n", "x");
    expect(fault.details).toEqual({ count: 5, lines: [1, 3] });
    expect(fault.message).toContain("5 times, in lines 1, 3;");
    expect(faultOf("a\nx x\n", "x").message).toContain("2 times, all in line 2;");
    const many = faultOf("x x\n".repeat(100), "x");
    expect(many.details).toMatchObject({ count: 200, lines: Array.from({ length: 20 }, (_, n) => n + 1) });
    expect(many.message).toContain("19, 20, …;");
  });

  it("overlapping places count, since either could be meant", () => {
    expect(faultOf("aaa", "aa").details).toEqual({ count: 2, lines: [1] });
    expect(faultOf("x".repeat(1_000), "x").details).toMatchObject({ count: 1_000 });
  });

  it("a text that is not there, with the lines that are most like it", () => {
    const fault = faultOf(
      "import a;\n\tconst total = 1;\nfoo();\nconst totals = 12;\n",
      "  const total = 1;\n  next();",
    );
    expect(fault.code).toBe("edit.no_match");
    expect(fault.details).toEqual({
      nearest: [
        { line: 2, text: "\tconst total = 1;" },
        { line: 4, text: "const totals = 12;" },
      ],
    });
    expect(fault.message).toContain("line 2: \tconst total = 1;");
    expect(faultOf("zzz", "abcdef").details).toEqual({ nearest: [] });
    expect(faultOf("", "a").code).toBe("edit.no_match");
  });

  it.each([
    ["a PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), "NUL"],
    ["UTF-16 with its mark", Buffer.from("\ufeffabc", "utf16le"), "UTF-16"],
    ["UTF-16, big endian", Buffer.from([0xfe, 0xff, 0, 0x61]), "UTF-16"],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "UTF-32"],
    ["Latin-1", Buffer.from("caf\xe9 abc", "latin1"), "not UTF-8"],
    ["a NUL far behind", Buffer.concat([Buffer.alloc(100_000, "abc"), Buffer.from([0])]), "NUL"],
  ])("%s is binary", (_name, bytes, reason) => {
    const fault = faultOf(bytes, "abc");
    expect(fault.code).toBe("edit.binary");
    expect(fault.message).toContain(reason);
    expect(fault.details).toEqual({ sizeBytes: bytes.length });
  });

  it("half a surrogate pair, which no file holds", () => {
    expect(faultOf("a\ufffdb", "\ud800").code).toBe("input.invalid");
  });

  it("a result above 10 MiB, before it is made", () => {
    const before = Buffer.alloc(1_000_000, `${"x".repeat(99)}\n`);
    expect(faultOf(before, "x\n", "y".repeat(fileBytesMax / 2), true).code).toBe("file.too_large");
  });
});

it("edits a large file at once, whatever it is made of", () => {
  const before = Buffer.alloc(1024 * 1024, "a");
  before[0] = 0x0a;
  expect(edit(before, "a", "b", true).replacements).toBe(before.length - 1);
  expect(faultOf(before, `b${"a".repeat(500_000)}`).code).toBe("edit.no_match");
});

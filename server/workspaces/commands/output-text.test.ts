import { describe, expect, it } from "vitest";
import { headAndTail } from "./output-text";

const none = new Uint8Array(0);
const whole = (bytes: Uint8Array) => headAndTail({ kept: bytes, tail: none, totalBytes: bytes.length });

describe("a stream of at most 64 KiB", () => {
  it("is given whole and exactly", () => {
    expect(whole(Buffer.from("café ☕\r\n"))).toEqual({
      text: "café ☕\r\n",
      totalBytes: 11,
      truncated: false,
    });
    expect(whole(none)).toEqual({ text: "", totalBytes: 0, truncated: false });
    expect(whole(Buffer.alloc(65_536, 97))).toMatchObject({ totalBytes: 65_536, truncated: false });
  });

  it("that ends in the middle of a character gives exactly one U+FFFD", () => {
    for (const character of ["é", "☕", "😀"]) {
      const bytes = Buffer.from(character);
      for (let end = 1; end < bytes.length; end++) {
        expect(whole(Buffer.concat([Buffer.from("a"), bytes.subarray(0, end)])).text).toBe("a\ufffd");
      }
    }
  });

  it("holds nothing that a database refuses", () => {
    expect(whole(Buffer.from("a\0b")).text).toBe("a\u2400b");
  });

  it("keeps a byte order mark", () => {
    expect(whole(Buffer.from("\ufeffa")).text).toBe("\ufeffa");
  });

  it("is put together from its two ends", () => {
    const tail = Buffer.from("cdef");
    expect(headAndTail({ kept: Buffer.from("abcd"), tail, totalBytes: 6 }).text).toBe("abcdef");
    expect(headAndTail({ kept: Buffer.from("ab"), tail, totalBytes: 6 }).text).toBe("abcdef");
  });

  it("with a gap says how much is missing", () => {
    const result = headAndTail({ kept: Buffer.from("ab"), tail: Buffer.from("ef"), totalBytes: 6 });
    expect(result).toEqual({
      text: "ab\n[… 2 of 6 bytes are not shown here …]\nef",
      totalBytes: 6,
      truncated: true,
    });
  });
});

describe("a longer stream", () => {
  it("shows its first and last 32 KiB, and counts exactly", () => {
    const bytes = Buffer.concat([Buffer.alloc(40_000, "a"), Buffer.alloc(40_000, "z")]);
    const { text, totalBytes, truncated } = whole(bytes);
    expect({ totalBytes, truncated }).toEqual({ totalBytes: 80_000, truncated: true });
    expect(text).toBe(
      `${"a".repeat(32_768)}\n[… 14464 of 80000 bytes are not shown here …]\n${"z".repeat(32_768)}`,
    );
  });

  it("takes its end from the tail when the middle was not kept", () => {
    const kept = Buffer.alloc(70_000, "a");
    const result = headAndTail({ kept, tail: Buffer.from("the end"), totalBytes: 10_000_000 });
    expect(result.text.endsWith("]\nthe end")).toBe(true);
    expect(result.totalBytes).toBe(10_000_000);
  });

  it("fills up a short tail from what was kept just before it", () => {
    const kept = Buffer.alloc(70_000, "a");
    const { text } = headAndTail({ kept, tail: Buffer.from("the end"), totalBytes: 70_007 });
    expect(text.endsWith(`${"a".repeat(32_761)}the end`)).toBe(true);
  });

  it("needs no more of the stream than its ends", () => {
    const stream = Buffer.from("é☕x".repeat(50_000));
    const kept = stream.subarray(0, 32_768);
    const tail = stream.subarray(-32_768);
    expect(headAndTail({ kept, tail, totalBytes: stream.length })).toEqual(whole(stream));
  });

  it("is never cut inside a character", () => {
    for (let shift = 0; shift < 4; shift++) {
      for (const character of ["é", "☕", "😀"]) {
        const { text } = whole(Buffer.from("x".repeat(shift) + character.repeat(100_000)));
        expect(text).not.toContain("\ufffd");
        expect(text).not.toMatch(/\p{Cs}/u);
      }
    }
  });

  it("that ends in the middle of a character still gives exactly one U+FFFD", () => {
    const bytes = Buffer.from("☕".repeat(50_000));
    const { text } = whole(bytes.subarray(0, bytes.length - 1));
    expect(text.match(/\ufffd/g)).toHaveLength(1);
    expect(text.endsWith("\ufffd")).toBe(true);
  });
});

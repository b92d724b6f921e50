import { expect, it } from "vitest";
import { createOutputDecoder } from "./output-decoder";

/** Decodes a stream in pieces of the given size. */
function decodeInPieces(bytes: Uint8Array, pieceBytes: number): string {
  const decoder = createOutputDecoder();
  let text = "";
  let offset = 0;
  for (; offset < bytes.length; offset += pieceBytes) {
    const decoded = decoder.push({ offset, bytes: bytes.subarray(offset, offset + pieceBytes) });
    text += decoded.text;
    expect(Buffer.byteLength(text) <= decoded.nextOffset || text.includes("\ufffd")).toBe(true);
  }
  return text + decoder.end().text;
}

it("gives a character that is split over pieces whole, with its last one", () => {
  const bytes = Buffer.from("café ☕");
  const decoder = createOutputDecoder();
  expect(decoder.push({ offset: 0, bytes: bytes.subarray(0, 4) })).toEqual({
    text: "caf",
    offset: 0,
    nextOffset: 4,
  });
  expect(decoder.push({ offset: 4, bytes: bytes.subarray(4) })).toEqual({
    text: "é ☕",
    offset: 3,
    nextOffset: 9,
  });
  expect(decoder.end()).toEqual({ text: "", offset: 9, nextOffset: 9 });
});

it("gives the same text wherever a stream is cut", () => {
  const text = "é☕😀a\r\n".repeat(500);
  for (let pieceBytes = 1; pieceBytes <= 13; pieceBytes++) {
    expect(decodeInPieces(Buffer.from(text), pieceBytes)).toBe(text);
  }
  const large = Buffer.from("☕".repeat(100_000));
  expect(decodeInPieces(large, 65_536)).not.toContain("\ufffd");
});

it("gives the same for bytes that are no UTF-8 as for the whole stream", () => {
  const bytes = Buffer.from([
    0x61, 0xff, 0xc3, 0xe2, 0x98, 0x62, 0x80, 0x80, 0x80, 0x80, 0xf0, 0x9f, 0xc3, 0xa9, 0xed, 0xa0, 0x80,
    0xe2,
  ]);
  const expected = new TextDecoder().decode(bytes);
  for (let pieceBytes = 1; pieceBytes <= 5; pieceBytes++)
    expect(decodeInPieces(bytes, pieceBytes)).toBe(expected);
});

it("gives exactly one U+FFFD for a stream that really ends inside a character", () => {
  const bytes = Buffer.from("a😀");
  for (let end = 2; end < bytes.length; end++)
    expect(decodeInPieces(bytes.subarray(0, end), 1)).toBe("a\ufffd");
});

it("does not give twice what a reconnect repeats", () => {
  const bytes = Buffer.from("café ☕ end");
  const decoder = createOutputDecoder();
  const first = decoder.push({ offset: 0, bytes: bytes.subarray(0, 8) }).text;
  expect(decoder.push({ offset: 2, bytes: bytes.subarray(2, 6) }).text).toBe("");
  expect(first + decoder.push({ offset: 3, bytes: bytes.subarray(3) }).text).toBe("café ☕ end");
});

it("begins with the first whole character at a start that is not the stream's, and behind a gap", () => {
  const bytes = Buffer.from("☕☕");
  const resumed = createOutputDecoder(1);
  expect(resumed.push({ offset: 1, bytes: bytes.subarray(1) })).toEqual({
    text: "☕",
    offset: 3,
    nextOffset: 6,
  });
  const decoder = createOutputDecoder();
  expect(decoder.push({ offset: 0, bytes: bytes.subarray(0, 2) }).text).toBe("");
  expect(decoder.push({ offset: 5, bytes: bytes.subarray(5) }).text).toBe("");
  expect(decoder.push({ offset: 6, bytes: Buffer.from("a") }).text).toBe("a");
});

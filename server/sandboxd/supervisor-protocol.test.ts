import { describe, expect, test } from "vitest";
import {
  allocateFrame,
  chunkBytes,
  createFrameReader,
  decodeCredit,
  decodeJson,
  decodeOutput,
  decodeRequest,
  encodeAttachment,
  encodeCredit,
  encodeFrame,
  encodeJsonFrame,
  encodeOutput,
  frameKind,
  framePayloadBytesMax,
  ProtocolError,
  type Frame,
} from "./supervisor-protocol";

const frames = [
  encodeFrame(frameKind.answer, 0, new Uint8Array(0)),
  encodeJsonFrame(frameKind.request, 7, { method: "status", params: { text: "é\n" } }),
  encodeFrame(
    frameKind.data,
    0xffff_fffe,
    Uint8Array.from({ length: 300 }, (_, index) => index % 256),
  ),
  encodeCredit(9, 123_456),
];
const stream = Buffer.concat(frames);

function readAll(pieces: readonly Uint8Array[]): Frame[] {
  const reader = createFrameReader();
  return pieces.flatMap((piece) =>
    reader.push(piece).map((frame) => ({ ...frame, payload: frame.payload.slice() })),
  );
}

describe("frames", () => {
  test("arrive whole, whatever pieces the stream comes in", () => {
    const whole = readAll([stream]);
    expect(whole.map(({ kind, requestId }) => [kind, requestId])).toEqual([
      [frameKind.answer, 0],
      [frameKind.request, 7],
      [frameKind.data, 0xffff_fffe],
      [frameKind.credit, 9],
    ]);
    for (let size = 1; size <= stream.length; size += size < 40 ? 1 : 7) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < stream.length; at += size) pieces.push(stream.subarray(at, at + size));
      expect(readAll(pieces)).toEqual(whole);
    }
  });

  test("a kept payload does not change when the piece it came in is used again", () => {
    const piece = Buffer.from(frames[2] ?? []);
    const [frame] = createFrameReader().push(piece);
    const kept = frame?.payload.slice();
    piece.fill(0);
    expect(kept?.[1]).toBe(1);
  });

  test.each([
    [
      "a length over the bound",
      (frame: Uint8Array) => new DataView(frame.buffer).setUint32(0, framePayloadBytesMax + 1),
    ],
    ["kind 0", (frame: Uint8Array) => new DataView(frame.buffer).setUint8(4, 0)],
    ["an unknown kind", (frame: Uint8Array) => new DataView(frame.buffer).setUint8(4, 99)],
  ])("%s is refused before anything is kept for it", (_name, spoil) => {
    const frame = allocateFrame(frameKind.data, 1, 16);
    spoil(frame);
    expect(() => createFrameReader().push(frame)).toThrow(ProtocolError);
    const reader = createFrameReader();
    expect(() => [...frame].forEach((byte) => reader.push(Uint8Array.of(byte)))).toThrow(ProtocolError);
  });

  test("an attachment is cut into bounded frames and joins to the same bytes", () => {
    const bytes = Uint8Array.from({ length: 2 * chunkBytes + 5 }, (_, index) => index % 251);
    const cut = readAll(encodeAttachment(3, bytes));
    expect(cut.map(({ payload }) => payload.length)).toEqual([chunkBytes, chunkBytes, 5]);
    expect(Buffer.concat(cut.map(({ payload }) => payload)).equals(bytes)).toBe(true);
    expect(encodeAttachment(3, new Uint8Array(0))).toEqual([]);
  });

  test("output carries its stream and an offset beyond 32 bits, and is as long as what was filled in", () => {
    const frame = encodeOutput(5, "stderr", 2 ** 40 + 3, 100, (target) => {
      target.set([1, 2, 3]);
      return 3;
    });
    const [read] = createFrameReader().push(frame ?? new Uint8Array(0));
    expect(decodeOutput(read?.payload ?? new Uint8Array(0))).toEqual({
      stream: "stderr",
      offset: 2 ** 40 + 3,
      bytes: Uint8Array.of(1, 2, 3),
    });
    expect(encodeOutput(5, "stdout", 0, 100, () => 0)).toBeNull();
  });

  test("control that is none is refused", () => {
    expect(() => decodeJson(Uint8Array.of(0xff))).toThrow(ProtocolError);
    expect(() => decodeCredit(Uint8Array.of(1))).toThrow(ProtocolError);
    expect(() => decodeOutput(Uint8Array.of(1))).toThrow(ProtocolError);
    for (const body of ["null", "{}", '{"method":"toString","params":{}}', '{"method":"status"}']) {
      expect(() => decodeRequest(Buffer.from(body))).toThrow(ProtocolError);
    }
  });
});

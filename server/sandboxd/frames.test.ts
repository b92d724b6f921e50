import { expect, it } from "vitest";
import { encodeWireFrame, readWireFrames, type WireFrame } from "./frames";

// eslint-disable-next-line @typescript-eslint/require-await -- stands in for a stream
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Uint8Array, size: number): Promise<WireFrame[]> {
  const frames: WireFrame[] = [];
  for await (const frame of readWireFrames(inPieces(bytes, size))) frames.push(frame);
  return frames.map(({ head, bytes: content }) => ({ head, bytes: new Uint8Array(content) }));
}

const frames: WireFrame[] = [
  { head: { type: "started" }, bytes: new Uint8Array(0) },
  { head: { text: "ü\0" }, bytes: Uint8Array.from({ length: 300 }, (_, index) => index % 256) },
  { head: null, bytes: Uint8Array.of(0, 0, 0, 1) },
];
const all = Buffer.concat(frames.map(encodeWireFrame));

it.each([1, 2, 7, 8, 9, 100, 10_000])("frames survive being cut into pieces of %i bytes", async (size) => {
  expect(await readAll(all, size)).toEqual(frames);
});

it("a stream that ends inside a frame is an error, not an end", async () => {
  await expect(readAll(all.subarray(0, all.length - 1), 50)).rejects.toThrow("ended inside a frame");
});

it("a length that no frame of ours has is an error before anything is kept", async () => {
  await expect(readAll(Buffer.alloc(16, 0xff), 16)).rejects.toThrow("too long");
});

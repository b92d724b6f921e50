import { expect, test } from "vitest";
import { createKeptOutput, type KeptStore } from "./kept-output";

function createMemoryStore(bytesMax = Infinity): KeptStore & { bytes: number[] } {
  const bytes: number[] = [];
  return {
    bytes,
    write: (offset, piece) => {
      if (offset + piece.length > bytesMax) throw new Error("no space");
      piece.forEach((byte, index) => (bytes[offset + index] = byte));
    },
    read: (offset, target) => {
      const found = bytes.slice(offset, offset + target.length);
      target.set(found);
      return found.length;
    },
    close: () => undefined,
  };
}

const counted = (from: number, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, index) => (from + index) % 256);

test("head, tail and counts are exact for every size of pieces", () => {
  for (let total = 0; total <= 60; total += 3) {
    for (let piece = 1; piece <= 25; piece += 1) {
      const output = createKeptOutput(createMemoryStore(), 20, 8);
      for (let at = 0; at < total; at += piece) output.append(counted(at, Math.min(piece, total - at)));
      const head = new Uint8Array(100);
      expect(output.totalBytes).toBe(total);
      expect(output.keptBytes).toBe(Math.min(total, 20));
      expect(head.subarray(0, output.read(0, head))).toEqual(counted(0, Math.min(total, 20)));
      const tailBytes = Math.max(0, Math.min(8, total - 20));
      expect(output.tail()).toEqual(counted(total - tailBytes, tailBytes));
    }
  }
});

test("reading goes from any offset, and past the end gives nothing", () => {
  const output = createKeptOutput(createMemoryStore(), 20, 8);
  output.append(counted(0, 50));
  const target = new Uint8Array(4);
  expect(output.read(18, target)).toBe(2);
  expect(output.read(20, target)).toBe(0);
  expect(output.read(1e9, target)).toBe(0);
});

test("when the store is full the kept part ends there, and counting and the tail go on", () => {
  const output = createKeptOutput(createMemoryStore(10), 20, 8);
  output.append(counted(0, 8));
  output.append(counted(8, 8));
  output.append(counted(16, 2));
  expect([output.totalBytes, output.keptBytes]).toEqual([18, 8]);
  expect(output.tail()).toEqual(counted(10, 8));
});

import { expect, test } from "vitest";
import { parseDirectoryRecords } from "./directory-records";

function record(name: Buffer, type: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((19 + name.length + 1) / 8) * 8);
  bytes.writeUInt16LE(bytes.length, 16);
  bytes.writeUInt8(type, 18);
  name.copy(bytes, 19);
  return bytes;
}

test("records are read as the kernel writes them, without the two that every directory has", () => {
  const odd = Buffer.from([0x61, 0xff]);
  const bytes = Buffer.concat([
    record(Buffer.from("."), 4),
    record(Buffer.from(".."), 4),
    record(odd, 8),
    record(Buffer.from("d"), 4),
    record(Buffer.from("u"), 0),
  ]);
  expect(parseDirectoryRecords(bytes)).toEqual([
    { name: odd, mayBeDirectory: false },
    { name: Buffer.from("d"), mayBeDirectory: true },
    { name: Buffer.from("u"), mayBeDirectory: true },
  ]);
  expect(parseDirectoryRecords(new Uint8Array(40))).toEqual([]);
});

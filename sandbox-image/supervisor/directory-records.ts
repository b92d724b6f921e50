/** What one record of `getdents64` says of an entry. The name is bytes: a file system knows no encoding. */
export interface DirectoryRecord {
  name: Buffer;
  /** Whether the file system says that it is a directory, or does not say. */
  mayBeDirectory: boolean;
}

const recordHeaderBytes = 19;
const typeUnknown = 0;
const typeDirectory = 4;

/** Reads the records in `bytes`, as the kernel wrote them, without `.` and `..`. */
export function parseDirectoryRecords(bytes: Uint8Array): DirectoryRecord[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: DirectoryRecord[] = [];
  let at = 0;
  while (at + recordHeaderBytes <= bytes.length) {
    const recordBytes = view.getUint16(at + 16, true);
    if (recordBytes < recordHeaderBytes) break;
    const type = view.getUint8(at + 18);
    const field = bytes.subarray(at + recordHeaderBytes, at + recordBytes);
    const end = field.indexOf(0);
    const name = Buffer.from(end < 0 ? field : field.subarray(0, end));
    const text = name.toString("latin1");
    if (text !== "." && text !== "..") {
      records.push({ name, mayBeDirectory: type === typeDirectory || type === typeUnknown });
    }
    at += recordBytes;
  }
  return records;
}

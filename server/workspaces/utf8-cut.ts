/** Leaves away the beginning of a character whose rest is cut off. Bytes that are no UTF-8 stay. */
export function withoutSplitEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceBytes(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Leaves away the rest of a character whose beginning is cut off. */
export function withoutSplitStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceBytes(lead: number): number {
  if (lead >= 0xf0) return lead <= 0xf4 ? 4 : 1;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc2 ? 2 : 1;
}

import type { Socket } from "node:net";

/** A head up to and including its empty line, and the bytes that came behind it. */
export type ReadHeadResult =
  { ok: true; head: Buffer; rest: Buffer } | { ok: false; fault: "too_large" | "line_end" | "closed" };

const headEnd = Buffer.from("\r\n\r\n");

/**
 * Reads from a socket until a head is complete and leaves the socket paused without listeners of its own. A line feed
 * that stands alone is a fault at once, not a wait for the rest. Resolves with `closed` when the socket ends first.
 */
export function readHead(
  socket: Socket,
  bytesMax: number,
  start: Buffer = Buffer.alloc(0),
): Promise<ReadHeadResult> {
  return new Promise((resolve) => {
    let bytes = start;
    const finish = (result: ReadHeadResult): void => {
      socket.off("data", take);
      socket.off("end", close);
      socket.off("close", close);
      socket.pause();
      resolve(result);
    };
    const take = (piece: Buffer): void => {
      const from = Math.max(0, bytes.length - headEnd.length);
      bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
      const result = scan(bytes, from, bytesMax);
      if (result !== null) finish(result);
    };
    const close = (): void => finish({ ok: false, fault: "closed" });
    const early = scan(bytes, 0, bytesMax);
    if (early !== null) return finish(early);
    socket.on("data", take);
    socket.once("end", close);
    socket.once("close", close);
    if (socket.destroyed || socket.readableEnded) return close();
    socket.resume();
  });
}

function scan(bytes: Buffer, from: number, bytesMax: number): ReadHeadResult | null {
  const end = bytes.indexOf(headEnd, from);
  const size = end === -1 ? bytes.length : end + headEnd.length;
  if (hasLoneLineFeed(bytes, from, size)) return { ok: false, fault: "line_end" };
  if (size > bytesMax) return { ok: false, fault: "too_large" };
  return end === -1 ? null : { ok: true, head: bytes.subarray(0, size), rest: bytes.subarray(size) };
}

function hasLoneLineFeed(bytes: Buffer, from: number, to: number): boolean {
  for (let at = bytes.indexOf(0x0a, from); at !== -1 && at < to; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at - 1] !== 0x0d) return true;
  }
  return false;
}

import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** Writes a piece and waits until there is room for the next. False when the other side is gone. */
export async function writePiece(target: Writable, piece: Buffer): Promise<boolean> {
  if (target.destroyed || target.writableEnded) return false;
  if (target.write(piece)) return true;
  const over = new AbortController();
  const events = ["drain", "close", "error"].map((event) => once(target, event, { signal: over.signal }));
  for (const event of events) event.catch(() => undefined);
  try {
    await Promise.race(events);
  } catch {
    return false;
  } finally {
    over.abort();
  }
  return !target.destroyed;
}

/** Hands every piece on, no faster than it is taken. Stops reading when the other side is gone. */
export async function pump(
  source: Readable,
  target: Writable,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  for await (const piece of source as AsyncIterable<Buffer>) {
    onPiece(piece);
    if (!(await writePiece(target, piece))) return;
  }
}

const packSignature = Buffer.from("PACK\0\0\0\u0002", "latin1");

/** Notices whether a pack begins in a stream, wherever its pieces are cut. No line before a pack holds a zero byte. */
export function createPackWatch(): { look(piece: Buffer): void; hasSeenPack(): boolean } {
  let tail = Buffer.alloc(0);
  let isSeen = false;
  return {
    look: (piece) => {
      if (isSeen) return;
      const bytes = Buffer.concat([tail, piece]);
      isSeen = bytes.includes(packSignature);
      tail = bytes.subarray(-(packSignature.length - 1));
    },
    hasSeenPack: () => isSeen,
  };
}

import type { CommandEnd, OutputChunk } from "./types";
import type { ErrorBody } from "../platform/errors";

/**
 * How bytes and JSON share one HTTP body between sandboxd and its client. Shape: length of the JSON head (4 bytes, big
 * endian), length of the bytes (4 bytes), the head, the bytes. What a command or a file holds travels in the bytes
 * only, so it is never read as control.
 */
export interface WireFrame {
  head: unknown;
  bytes: Uint8Array;
}

/** What follows a command on the wire: once `started`, any number of `output`, then `end` or `error`. */
export type CommandFrameHead =
  | { type: "started"; runtimeId: string }
  | { type: "output"; stream: OutputChunk["stream"]; offset: number }
  | { type: "end"; end: Omit<CommandEnd, "stdoutTail" | "stderrTail">; stdoutTailBytes: number }
  | { type: "error"; error: ErrorBody };

const prefixBytes = 8;
/** No head and no piece of output or file of ours is longer. */
const headBytesMax = 1_048_576;
const frameBytesMax = 40 * 1_048_576;

export function encodeWireFrame({ head, bytes }: WireFrame): Buffer {
  const json = Buffer.from(JSON.stringify(head), "utf8");
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([prefix, json, bytes]);
}

/** Cuts a stream of pieces into frames. Errors: throws when the stream is not of ours or ends inside a frame. */
export async function* readWireFrames(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<WireFrame> {
  let waiting: Uint8Array[] = [];
  let byteCount = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    byteCount += piece.length;
    while (byteCount >= prefixBytes) {
      // Joined only when a frame may be whole, so that a long one is not copied for each piece.
      const first = waiting[0];
      if (first === undefined || first.length < prefixBytes) waiting = [Buffer.concat(waiting)];
      const wanted = frameLength(Buffer.from(waiting[0] ?? new Uint8Array(0)));
      if (byteCount < wanted) break;
      const all = Buffer.concat(waiting);
      yield decodeWireFrame(all.subarray(0, wanted));
      waiting = [all.subarray(wanted)];
      byteCount = all.length - wanted;
    }
  }
  if (byteCount > 0) throw new Error("The stream ended inside a frame.");
}

function frameLength(start: Buffer): number {
  const headBytes = start.readUInt32BE(0);
  const length = prefixBytes + headBytes + start.readUInt32BE(4);
  if (headBytes > headBytesMax || length > frameBytesMax) throw new Error("A frame is too long.");
  return length;
}

function decodeWireFrame(frame: Buffer): WireFrame {
  const headEnd = prefixBytes + frame.readUInt32BE(0);
  const head = JSON.parse(frame.toString("utf8", prefixBytes, headEnd)) as unknown;
  return { head, bytes: frame.subarray(headEnd) };
}

export function encodeCommandEnd({ stdoutTail, stderrTail, ...end }: CommandEnd): Buffer {
  const head: CommandFrameHead = { type: "end", end, stdoutTailBytes: stdoutTail.length };
  return encodeWireFrame({ head, bytes: Buffer.concat([stdoutTail, stderrTail]) });
}

export function decodeCommandEnd(head: CommandFrameHead & { type: "end" }, bytes: Uint8Array): CommandEnd {
  return {
    ...head.end,
    stdoutTail: bytes.subarray(0, head.stdoutTailBytes),
    stderrTail: bytes.subarray(head.stdoutTailBytes),
  };
}

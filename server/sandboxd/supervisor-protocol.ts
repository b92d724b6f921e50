import type { SupervisorStatus } from "./supervisor";
import type {
  CommandEnd,
  CommandSpec,
  FileContent,
  FileEntry,
  FileTarget,
  OutputStream,
  RunUid,
} from "./types";

/**
 * What sandboxd and the supervisor say to each other over one stream, and the supervisor to its file helpers.
 *
 * A frame is: payload length (4 bytes, big endian), kind (1 byte), request id (4 bytes), payload. A request is any
 * number of `data` frames (the bytes that belong to it), then one `request` frame with JSON. Its answer is any number of
 * `output` and `data` frames, then one `answer` or `failure` frame with JSON. Bytes of commands and files travel in
 * `data` and `output` frames only, so that nothing they hold is ever read as control.
 */
export const frameKind = {
  request: 1,
  answer: 2,
  failure: 3,
  data: 4,
  /** Payload: stream (1 byte, 0 stdout, 1 stderr), offset (8 bytes), the bytes. */
  output: 5,
  /** Client to supervisor, 4 bytes: so many bytes of output have been consumed. */
  credit: 6,
  /** Client to supervisor: the answer is not wanted any more. */
  cancel: 7,
} as const;

export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

export interface Frame {
  kind: FrameKind;
  requestId: number;
  payload: Uint8Array;
}

export const frameHeaderBytes = 9;
export const outputHeaderBytes = 9;
/** A longer frame is not of ours: the connection is closed. */
export const framePayloadBytesMax = 2 * 1024 * 1024;
/** Bytes put into one `data` or `output` frame by those who send. */
export const chunkBytes = 128 * 1024;
/** Bytes that may belong to one request or one answer. */
export const attachmentBytesMax = 32 * 1024 * 1024;
/** Bytes of output sent ahead of what the follower has consumed. */
export const followWindowBytes = 2 * 1024 * 1024;

/** The calls, each with what it takes and gives. Bytes are not in here: they are the attachment. */
export interface SupervisorCalls {
  status: { params: Record<string, never>; value: SupervisorStatus };
  touch: { params: { keepForMs: number }; value: null };
  prepareRun: { params: { uid: RunUid; directory: string }; value: { home: string; tmp: string } };
  removeRun: { params: { uid: RunUid; directory: string }; value: null };
  startCommand: { params: CommandSpec; value: null };
  followCommand: {
    params: { commandId: string; stdoutOffset: number; stderrOffset: number };
    value: CommandEndHead;
  };
  stopCommand: { params: { commandId: string }; value: null };
  readFile: { params: { bytesMax: number; offset: number } & FileTarget; value: Omit<FileContent, "bytes"> };
  writeFile: { params: { mode: number | null } & FileTarget; value: { created: boolean; mode: string } };
  listFiles: {
    params: { depth: number; limit: number; after: string | null } & FileTarget;
    value: { items: FileEntry[]; truncated: boolean };
  };
  deleteFile: { params: { recursive: boolean } & FileTarget; value: { deletedCount: number } };
}

/** A `CommandEnd` whose tails are its attachment: first stdout's, then stderr's. */
export type CommandEndHead = Omit<CommandEnd, "stdoutTail" | "stderrTail"> & { stdoutTailBytes: number };

export type SupervisorMethod = keyof SupervisorCalls;

const methods: Record<SupervisorMethod, true> = {
  status: true,
  touch: true,
  prepareRun: true,
  removeRun: true,
  startCommand: true,
  followCommand: true,
  stopCommand: true,
  readFile: true,
  writeFile: true,
  listFiles: true,
  deleteFile: true,
};

export interface RequestBody {
  method: SupervisorMethod;
  params: unknown;
}

/** The other side sent what no frame can hold. The connection is of no more use. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/**
 * Makes one frame in one buffer. `header` bytes, if any, stand before `body` in the payload.
 * The payload is never longer than `framePayloadBytesMax`: more is a fault of the caller and throws.
 */
export function encodeFrame(kind: FrameKind, requestId: number, body: Uint8Array): Uint8Array {
  const frame = allocateFrame(kind, requestId, body.length);
  frame.set(body, frameHeaderBytes);
  return frame;
}

/** A frame with its header written and its payload still zero, to be filled in place. */
export function allocateFrame(kind: FrameKind, requestId: number, payloadBytes: number): Uint8Array {
  if (payloadBytes > framePayloadBytesMax)
    throw new ProtocolError(`a payload of ${payloadBytes} bytes is too long`);
  const frame = new Uint8Array(frameHeaderBytes + payloadBytes);
  const view = new DataView(frame.buffer);
  view.setUint32(0, payloadBytes);
  view.setUint8(4, kind);
  view.setUint32(5, requestId);
  return frame;
}

export function encodeJsonFrame(kind: FrameKind, requestId: number, value: unknown): Uint8Array {
  return encodeFrame(kind, requestId, new TextEncoder().encode(JSON.stringify(value)));
}

/** The `data` frames that carry `bytes`; none for no bytes. */
export function encodeAttachment(requestId: number, bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    frames.push(encodeFrame(frameKind.data, requestId, bytes.subarray(offset, offset + chunkBytes)));
  }
  return frames;
}

/** An output frame whose bytes `fill` writes in place; it says how many it wrote. Null when it wrote none. */
export function encodeOutput(
  requestId: number,
  stream: OutputStream,
  offset: number,
  byteCountMax: number,
  fill: (target: Uint8Array) => number,
): Uint8Array | null {
  const frame = allocateFrame(frameKind.output, requestId, outputHeaderBytes + byteCountMax);
  const byteCount = fill(frame.subarray(frameHeaderBytes + outputHeaderBytes));
  if (byteCount === 0) return null;
  const view = new DataView(frame.buffer);
  view.setUint32(0, outputHeaderBytes + byteCount);
  view.setUint8(frameHeaderBytes, stream === "stdout" ? 0 : 1);
  view.setBigUint64(frameHeaderBytes + 1, BigInt(offset));
  return frame.subarray(0, frameHeaderBytes + outputHeaderBytes + byteCount);
}

export function decodeOutput(payload: Uint8Array): {
  stream: OutputStream;
  offset: number;
  bytes: Uint8Array;
} {
  if (payload.length < outputHeaderBytes) throw new ProtocolError("an output frame is too short");
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  return {
    stream: view.getUint8(0) === 0 ? "stdout" : "stderr",
    offset: Number(view.getBigUint64(1)),
    bytes: payload.subarray(outputHeaderBytes),
  };
}

export function encodeCredit(requestId: number, byteCount: number): Uint8Array {
  const frame = allocateFrame(frameKind.credit, requestId, 4);
  new DataView(frame.buffer).setUint32(frameHeaderBytes, byteCount);
  return frame;
}

export function decodeCredit(payload: Uint8Array): number {
  if (payload.length !== 4) throw new ProtocolError("a credit frame holds 4 bytes");
  return new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0);
}

export function decodeJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload)) as unknown;
  } catch (cause) {
    throw new ProtocolError("a control frame holds no JSON", { cause });
  }
}

export function decodeRequest(payload: Uint8Array): RequestBody {
  const body = decodeJson(payload);
  if (typeof body !== "object" || body === null || !("method" in body) || !("params" in body)) {
    throw new ProtocolError("a request names a method and its params");
  }
  const { method, params } = body;
  if (typeof method !== "string" || !Object.hasOwn(methods, method))
    throw new ProtocolError("unknown method");
  return { method: method as SupervisorMethod, params };
}

/**
 * Cuts a stream into frames, whatever pieces it arrives in. Linear in the bytes given; holds at most one frame.
 * A whole frame inside one piece is given as a view of that piece: use it before the next one is pushed.
 * Throws `ProtocolError` for a frame that is too long or of an unknown kind; then it must not be used again.
 */
export interface FrameReader {
  push(piece: Uint8Array): Frame[];
}

export function createFrameReader(payloadBytesMax = framePayloadBytesMax): FrameReader {
  const header = new Uint8Array(frameHeaderBytes);
  let headerFilled = 0;
  let body: Uint8Array | null = null;
  let bodyFilled = 0;

  function readHeader(source: Uint8Array): { length: number; kind: FrameKind; requestId: number } {
    const view = new DataView(source.buffer, source.byteOffset, frameHeaderBytes);
    const length = view.getUint32(0);
    const kind = view.getUint8(4);
    if (length > payloadBytesMax) throw new ProtocolError(`a frame of ${length} bytes is too long`);
    if (kind < frameKind.request || kind > frameKind.cancel)
      throw new ProtocolError(`unknown frame kind ${kind}`);
    return { length, kind: kind as FrameKind, requestId: view.getUint32(5) };
  }

  return {
    push: (given) => {
      // A Buffer's `slice` does not copy, and whoever keeps a payload copies it with that.
      const piece = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
      const frames: Frame[] = [];
      let at = 0;
      while (at < piece.length) {
        if (body === null && headerFilled === 0 && piece.length - at >= frameHeaderBytes) {
          const { length, kind, requestId } = readHeader(piece.subarray(at));
          if (piece.length - at - frameHeaderBytes >= length) {
            const start = at + frameHeaderBytes;
            frames.push({ kind, requestId, payload: piece.subarray(start, start + length) });
            at = start + length;
            continue;
          }
        }
        if (body === null) {
          const taken = Math.min(frameHeaderBytes - headerFilled, piece.length - at);
          header.set(piece.subarray(at, at + taken), headerFilled);
          headerFilled += taken;
          at += taken;
          if (headerFilled < frameHeaderBytes) break;
          body = new Uint8Array(readHeader(header).length);
          bodyFilled = 0;
        }
        const taken = Math.min(body.length - bodyFilled, piece.length - at);
        body.set(piece.subarray(at, at + taken), bodyFilled);
        bodyFilled += taken;
        at += taken;
        if (bodyFilled < body.length) break;
        const { kind, requestId } = readHeader(header);
        frames.push({ kind, requestId, payload: body });
        body = null;
        headerFilled = 0;
      }
      return frames;
    },
  };
}

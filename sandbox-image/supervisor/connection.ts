import type { Socket } from "node:net";
import { DomainError, toErrorBody } from "../../server/platform/errors";
import {
  attachmentBytesMax,
  createFrameReader,
  decodeCredit,
  decodeRequest,
  encodeAttachment,
  encodeJsonFrame,
  frameKind,
  ProtocolError,
  type CommandEndHead,
  type Frame,
} from "../../server/sandboxd/supervisor-protocol";
import type { CommandEnd } from "../../server/sandboxd/types";
import type { Calls } from "./calls";
import type { Follower } from "./follow";

/** A client of ours asks for the status every few seconds; one that is silent for so long is gone. */
const silenceMsMax = 300_000;
const waitingRequestsMax = 1_024;

/**
 * Serves one connection until it ends: each request on its own, answers in whatever order they come. What no frame can
 * hold ends the connection and nothing else.
 */
export function serveConnection(socket: Socket, calls: Calls): void {
  const reader = createFrameReader();
  const attachments = createAttachments();
  const followers = new Map<number, Follower>();
  let waitingRequests = 0;

  const send = (frame: Uint8Array): void => {
    if (!socket.destroyed) socket.write(frame);
  };

  async function answer(requestId: number, payload: Uint8Array): Promise<void> {
    const { method, params } = decodeRequest(payload);
    const bytes = attachments.take(requestId);
    if (method === "followCommand") {
      const follower = calls.follow(requestId, params, send);
      followers.set(requestId, follower);
      const end = await follower.done;
      followers.delete(requestId);
      if (end !== null) sendEnd(requestId, end);
      return;
    }
    const result = await calls.perform(method, params, bytes);
    for (const frame of encodeAttachment(requestId, result.bytes)) send(frame);
    send(encodeJsonFrame(frameKind.answer, requestId, result.value));
  }

  function sendEnd(requestId: number, { stdoutTail, stderrTail, ...end }: CommandEnd): void {
    for (const tail of [stdoutTail, stderrTail])
      for (const frame of encodeAttachment(requestId, tail)) send(frame);
    const head: CommandEndHead = { ...end, stdoutTailBytes: stdoutTail.length };
    send(encodeJsonFrame(frameKind.answer, requestId, head));
  }

  function receive({ kind, requestId, payload }: Frame): void {
    switch (kind) {
      case frameKind.request:
        if (waitingRequests >= waitingRequestsMax) throw new ProtocolError("too many requests at once");
        waitingRequests += 1;
        answer(requestId, payload)
          .catch((error: unknown) => {
            if (error instanceof ProtocolError) socket.destroy();
            else send(encodeJsonFrame(frameKind.failure, requestId, toErrorBody(toDomainError(error))));
          })
          .finally(() => (waitingRequests -= 1));
        return;
      case frameKind.data:
        return attachments.add(requestId, payload);
      case frameKind.credit:
        return followers.get(requestId)?.credit(decodeCredit(payload));
      case frameKind.cancel:
        return followers.get(requestId)?.stop();
      case frameKind.answer:
      case frameKind.failure:
      case frameKind.output:
        throw new ProtocolError("a client sent what only a supervisor sends");
    }
  }

  socket.setTimeout(silenceMsMax, () => socket.destroy());
  socket.on("data", (piece: Uint8Array) => {
    try {
      for (const frame of reader.push(piece)) receive(frame);
    } catch {
      socket.destroy();
    }
  });
  socket.on("end", () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const follower of followers.values()) follower.stop();
  });
}

/** The bytes that have come ahead of their requests. Throws when too many wait. */
function createAttachments(): {
  add(requestId: number, payload: Uint8Array): void;
  take(requestId: number): Uint8Array;
} {
  const waiting = new Map<number, Uint8Array[]>();
  let waitingBytes = 0;
  return {
    add: (requestId, payload) => {
      waitingBytes += payload.length;
      if (waitingBytes > 2 * attachmentBytesMax)
        throw new ProtocolError("too many bytes wait for their request");
      const pieces = waiting.get(requestId) ?? [];
      pieces.push(payload.slice());
      waiting.set(requestId, pieces);
    },
    take: (requestId) => {
      const bytes = Buffer.concat(waiting.get(requestId) ?? []);
      waiting.delete(requestId);
      waitingBytes -= bytes.length;
      return bytes;
    },
  };
}

function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  console.error("a call failed:", error);
  return new DomainError("internal", "The supervisor could not do this.", {}, { cause: error });
}

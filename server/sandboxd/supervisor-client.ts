import type { Duplex } from "node:stream";
import type { Clock } from "../platform/clock";
import { describeError, DomainError, fromErrorBody } from "../platform/errors";
import type { Logger } from "../platform/logger";
import type { Supervisor } from "./supervisor";
import {
  attachmentBytesMax,
  createFrameReader,
  decodeJson,
  decodeOutput,
  encodeAttachment,
  encodeCredit,
  encodeFrame,
  encodeJsonFrame,
  frameKind,
  ProtocolError,
  type CommandEndHead,
  type Frame,
  type SupervisorCalls,
  type SupervisorMethod,
} from "./supervisor-protocol";
import type { CommandEnd, OutputChunk } from "./types";

const deadlineMs = 90_000;
/** Ending a Run waits for processes to die and for its files to go. */
const removeDeadlineMs = 240_000;
const pingEveryMs = 20_000;

interface Pending {
  attachment: Uint8Array[];
  attachmentBytes: number;
  onOutput: ((chunk: OutputChunk) => void) | null;
  resolve(answer: { value: unknown; bytes: Uint8Array }): void;
  reject(error: Error): void;
}

/**
 * Speaks to the supervisor over a stream of its own. When the stream ends, breaks or does not answer in time, every
 * pending call rejects with a retryable `sandbox.engine_unavailable` and `closed` resolves; a new client on a new stream
 * finds commands where they are.
 */
export function createSupervisorClient(deps: { stream: Duplex; clock: Clock; logger: Logger }): Supervisor {
  const connection = createConnection(deps);
  const call = connection.call;

  return {
    status: async () => (await call("status", {})).value,
    touch: async (keepForMs) => void (await call("touch", { keepForMs })),
    prepareRun: async (input) => (await call("prepareRun", input)).value,
    removeRun: async (input) => void (await call("removeRun", input, { waitMs: removeDeadlineMs })),
    startCommand: async (spec) => void (await call("startCommand", spec)),
    followCommand: async (input, onOutput, signal) => {
      const { value, bytes } = await follow(connection, input, onOutput, signal);
      return toCommandEnd(value, bytes);
    },
    stopCommand: async (commandId) => void (await call("stopCommand", { commandId })),
    readFile: async ({ offset = 0, ...target }) => {
      const { value, bytes } = await call("readFile", { ...target, offset });
      return { ...value, bytes };
    },
    writeFile: async ({ bytes, ...target }) => (await call("writeFile", target, { bytes })).value,
    listFiles: async ({ after = null, ...target }) => (await call("listFiles", { ...target, after })).value,
    deleteFile: async (target) => (await call("deleteFile", target)).value,
    closed: connection.closed,
    close: () => connection.end(null),
  };
}

interface CallOptions {
  bytes?: Uint8Array;
  waitMs?: number | null;
  onOutput?: (chunk: OutputChunk, requestId: number) => void;
  signal?: AbortSignal | undefined;
}

interface Connection {
  call: <Method extends SupervisorMethod>(
    method: Method,
    params: SupervisorCalls[Method]["params"],
    options?: CallOptions,
  ) => Promise<{ value: SupervisorCalls[Method]["value"]; bytes: Uint8Array }>;
  acknowledge(requestId: number, byteCount: number): void;
  end(cause: Error | null): void;
  closed: Promise<void>;
}

function createConnection(deps: { stream: Duplex; clock: Clock; logger: Logger }): Connection {
  const { stream, clock, logger } = deps;
  const pending = new Map<number, Pending>();
  const reader = createFrameReader();
  let lastRequestId = 0;
  let isEnded = false;
  let resolveClosed = (): void => {};
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));

  function end(cause: Error | null): void {
    if (isEnded) return;
    isEnded = true;
    stopPinging();
    stream.destroy();
    if (cause !== null)
      logger.warn({ err: cause, pendingCalls: pending.size }, "the connection to a supervisor was lost");
    const calls = [...pending.values()];
    pending.clear();
    for (const one of calls) one.reject(connectionLost(cause));
    resolveClosed();
  }

  function send(frame: Uint8Array): void {
    if (!isEnded) stream.write(frame);
  }

  const connection: Connection = {
    closed,
    end,
    acknowledge: (requestId, byteCount) => {
      if (pending.has(requestId)) send(encodeCredit(requestId, byteCount));
    },
    call: async (method, params, { bytes, waitMs = deadlineMs, onOutput, signal } = {}) => {
      signal?.throwIfAborted();
      if (isEnded) throw connectionLost(null);
      if (bytes !== undefined && bytes.length > attachmentBytesMax) {
        throw new DomainError("file.too_large", `A file call carries at most ${attachmentBytesMax} bytes.`);
      }
      const requestId = (lastRequestId = (lastRequestId + 1) % 0xffff_ffff);
      const answered = new AbortController();
      const answer = expectAnswer(pending, requestId, onOutput);
      const abort = (): void => {
        const call = pending.get(requestId);
        if (!pending.delete(requestId)) return;
        send(encodeFrame(frameKind.cancel, requestId, new Uint8Array(0)));
        call?.reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      signal?.addEventListener("abort", abort, { once: true });
      if (bytes !== undefined) for (const frame of encodeAttachment(requestId, bytes)) send(frame);
      send(encodeJsonFrame(frameKind.request, requestId, { method, params }));
      if (waitMs !== null) {
        clock.sleep(waitMs, answered.signal).then(
          () => end(new Error(`no answer to ${method} within ${waitMs} ms`)),
          () => undefined,
        );
      }
      try {
        return (await answer) as { value: SupervisorCalls[typeof method]["value"]; bytes: Uint8Array };
      } finally {
        answered.abort();
        signal?.removeEventListener("abort", abort);
      }
    },
  };

  // A question that stays open for so long ends the connection, also when nothing but a follower waits on it.
  const stopPinging = clock.every(pingEveryMs, () => {
    connection.call("status", {}, { waitMs: pingEveryMs }).catch(() => undefined);
  });
  stream.on("data", (piece: Uint8Array) => {
    try {
      for (const frame of reader.push(piece)) receive(pending, frame);
    } catch (error) {
      end(error instanceof Error ? error : new Error(describeError(error)));
    }
  });
  stream.on("end", () => end(new Error("the stream ended")));
  stream.on("close", () => end(new Error("the stream was closed")));
  stream.on("error", (error) => end(error));
  return connection;
}

function expectAnswer(
  pending: Map<number, Pending>,
  requestId: number,
  onOutput: CallOptions["onOutput"],
): Promise<{ value: unknown; bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    pending.set(requestId, {
      attachment: [],
      attachmentBytes: 0,
      onOutput: onOutput === undefined ? null : (chunk) => onOutput(chunk, requestId),
      resolve,
      reject,
    });
  });
}

function receive(pending: Map<number, Pending>, frame: Frame): void {
  const call = pending.get(frame.requestId);
  // An aborted call is answered once more before the supervisor hears of it.
  if (call === undefined) return;
  switch (frame.kind) {
    case frameKind.data:
      call.attachmentBytes += frame.payload.length;
      if (call.attachmentBytes > attachmentBytesMax)
        throw new ProtocolError("an answer carries too many bytes");
      call.attachment.push(frame.payload.slice());
      return;
    case frameKind.output:
      call.onOutput?.(decodeOutput(frame.payload.slice()));
      return;
    case frameKind.answer:
      call.resolve({
        value: decodeJson(frame.payload),
        bytes: joinPieces(call.attachment, call.attachmentBytes),
      });
      pending.delete(frame.requestId);
      return;
    case frameKind.failure:
      call.reject(fromErrorBody(decodeJson(frame.payload)));
      pending.delete(frame.requestId);
      return;
    case frameKind.request:
    case frameKind.credit:
    case frameKind.cancel:
      throw new ProtocolError("the supervisor sent what only a client sends");
  }
}

/**
 * Calls `onOutput` one chunk after the other and gives credit for each when it is done, so that a slow consumer holds
 * back its own command's output and nothing else on the connection.
 */
async function follow(
  connection: Connection,
  input: SupervisorCalls["followCommand"]["params"],
  onOutput: (chunk: OutputChunk) => void | Promise<void>,
  signal: AbortSignal | undefined,
): Promise<{ value: CommandEndHead; bytes: Uint8Array }> {
  let consumed = Promise.resolve();
  const consumerFailed = new AbortController();
  const stop =
    signal === undefined ? consumerFailed.signal : AbortSignal.any([signal, consumerFailed.signal]);
  const answer = await connection.call("followCommand", input, {
    waitMs: null,
    signal: stop,
    onOutput: (chunk, requestId) => {
      consumed = consumed
        .then(async () => {
          if (stop.aborted) return;
          await onOutput(chunk);
          connection.acknowledge(requestId, chunk.bytes.length);
        })
        .catch((error: unknown) => {
          consumerFailed.abort(error instanceof Error ? error : new Error(describeError(error)));
        });
    },
  });
  await consumed;
  stop.throwIfAborted();
  return answer;
}

function toCommandEnd({ stdoutTailBytes, ...end }: CommandEndHead, bytes: Uint8Array): CommandEnd {
  return {
    ...end,
    stdoutTail: bytes.subarray(0, stdoutTailBytes),
    stderrTail: bytes.subarray(stdoutTailBytes),
  };
}

function joinPieces(pieces: readonly Uint8Array[], byteCount: number): Uint8Array {
  const joined = new Uint8Array(byteCount);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

function connectionLost(cause: Error | null): DomainError {
  return new DomainError(
    "sandbox.engine_unavailable",
    "The connection to the sandbox was lost. Ask again.",
    { reason: "connection_lost" },
    { cause },
  );
}

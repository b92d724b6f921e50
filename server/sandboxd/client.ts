import { Agent, request, type IncomingMessage } from "node:http";
import type { Clock } from "../platform/clock";
import { describeError, DomainError, fromErrorBody } from "../platform/errors";
import { interrupted } from "./commands";
import { decodeCommandEnd, encodeWireFrame, readWireFrames, type CommandFrameHead } from "./frames";
import type { SandboxMethod } from "./schema";
import type { CommandEnd, CommandSpec, OutputChunk, SandboxId, Sandboxes } from "./types";

/** How long sandboxd may be away before a call or a followed command is given up. */
const patienceMsDefault = 30_000;
const retryWaitsMs = [50, 100, 200, 400, 800, 1_500];
const answerBytesMax = 40 * 1_048_576;
/** sandboxd ends each call by itself well within this: removing a Run waits longest. */
const answerDeadlineMs = 300_000;

type OnOutput = (chunk: OutputChunk) => void | Promise<void>;

/** sandboxd did not take the call, or went away before it answered. */
class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/**
 * The port `Sandboxes` over sandboxd's unix socket. While sandboxd is away, calls that may be repeated wait for it up to
 * 30 s, then `sandbox.engine_unavailable`; a followed command goes on from the byte reached, and when its end cannot be
 * learned the answer is `interrupted`, never an exit code.
 */
export function createSandboxdClient(deps: {
  socketPath: string;
  clock: Clock;
  patienceMs?: number;
}): Sandboxes {
  const { socketPath, clock, patienceMs = patienceMsDefault } = deps;
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  async function send(
    method: SandboxMethod,
    body: Uint8Array,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        agent,
        socketPath,
        method: "POST",
        path: `/v1/${method}`,
        headers: { "Content-Length": body.length },
        timeout: answerDeadlineMs,
        ...(signal === undefined ? {} : { signal }),
      });
      outgoing.once("response", resolve);
      outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer within ${answerDeadlineMs} ms`)));
      outgoing.once("error", (error) =>
        reject(signal?.aborted === true ? error : new NoAnswerError(error.message, { cause: error })),
      );
      outgoing.end(body);
    });
    if (response.statusCode === 200) return response;
    const answer = JSON.parse((await readAll(response)).toString("utf8")) as { error?: unknown };
    throw asNoAnswer(fromErrorBody(answer.error));
  }

  /** Tries again while nobody answers; `act` decides by itself what is repeated. */
  async function patiently<Value>(act: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    let givenUpAtMs = clock.monotonicMs() + patienceMs;
    for (let tries = 0; ; tries++) {
      try {
        return await act();
      } catch (error) {
        if (error instanceof Progress) {
          tries = 0;
          givenUpAtMs = clock.monotonicMs() + patienceMs;
        } else if (!(error instanceof NoAnswerError)) throw error;
        if (clock.monotonicMs() >= givenUpAtMs) throw unavailable(socketPath, error);
        await clock.sleep(retryWaitsMs[Math.min(tries, retryWaitsMs.length - 1)] ?? 0, signal);
      }
    }
  }

  function call<Value>(method: SandboxMethod, input: object): Promise<Value> {
    const body = Buffer.from(JSON.stringify(input), "utf8");
    return patiently(
      async () => JSON.parse((await readAll(await send(method, body))).toString("utf8")) as Value,
    );
  }

  async function follow(input: {
    sandboxId: SandboxId;
    commandId: string;
    spec: CommandSpec | null;
    stdoutOffset: number;
    stderrOffset: number;
    onOutput: OnOutput;
    signal: AbortSignal | undefined;
  }): Promise<CommandEnd> {
    const { sandboxId, commandId, spec, onOutput, signal } = input;
    const reached = { stdoutOffset: input.stdoutOffset, stderrOffset: input.stderrOffset };
    let runtimeId: string | null = null;

    async function attempt(): Promise<CommandEnd> {
      // Once it is known to have started it is only followed: in another container it must not run again.
      const isStarting = spec !== null && runtimeId === null;
      const body = isStarting ? { sandboxId, ...spec } : { sandboxId, commandId, ...reached };
      const response = await send(
        isStarting ? "exec" : "followCommand",
        Buffer.from(JSON.stringify(body), "utf8"),
        signal,
      );
      let hasMoved = false;
      try {
        for await (const { head, bytes } of readWireFrames(response as AsyncIterable<Buffer>)) {
          const frame = head as CommandFrameHead;
          switch (frame.type) {
            case "started":
              if (runtimeId !== null && frame.runtimeId !== runtimeId) {
                response.destroy();
                return interrupted(
                  commandId,
                  "sandbox_gone",
                  "The sandbox was started anew while the command ran.",
                );
              }
              runtimeId = frame.runtimeId;
              break;
            case "output":
              hasMoved = true;
              await deliver(frame, bytes, reached, onOutput);
              break;
            case "end":
              return decodeCommandEnd(frame, bytes);
            case "error":
              throw asNoAnswer(fromErrorBody(frame.error));
          }
        }
      } catch (error) {
        if (error instanceof ConsumerError) throw error.cause;
        if (error instanceof DomainError || signal?.aborted === true) throw error;
        throw hasMoved ? new Progress() : new NoAnswerError(describeError(error), { cause: error });
      }
      throw hasMoved ? new Progress() : new NoAnswerError("The stream ended before the command did.");
    }

    try {
      return await patiently(attempt, signal);
    } catch (error) {
      if (!(error instanceof DomainError) || runtimeId === null) throw error;
      if (error.code === "sandbox.not_found") return interrupted(commandId, "sandbox_gone", error.message);
      if (error.code === "sandbox.engine_unavailable")
        return interrupted(commandId, "connection_lost", error.message);
      throw error;
    }
  }

  return {
    ensure: (input) => call("ensure", input),
    find: (sandboxId) => call("find", { sandboxId }),
    list: () => call("list", {}),
    touch: async (input) => void (await call("touch", input)),
    remove: async (input) => void (await call("remove", input)),
    prepareRun: (input) => call("prepareRun", input),
    removeRun: async (input) => void (await call("removeRun", input)),
    exec: ({ sandboxId, ...spec }, onOutput = () => undefined, signal) =>
      follow({
        sandboxId,
        commandId: spec.commandId,
        spec,
        stdoutOffset: 0,
        stderrOffset: 0,
        onOutput,
        signal,
      }),
    followCommand: (
      { sandboxId, commandId, stdoutOffset = 0, stderrOffset = 0 },
      onOutput = () => undefined,
      signal,
    ) => follow({ sandboxId, commandId, spec: null, stdoutOffset, stderrOffset, onOutput, signal }),
    stopCommand: async (input) => void (await call("stopCommand", input)),
    readFile: (input) => {
      const body = Buffer.from(JSON.stringify(input), "utf8");
      return patiently(async () => {
        const response = await send("readFile", body);
        for await (const { head, bytes } of readWireFrames(response as AsyncIterable<Buffer>)) {
          return { ...(head as { sizeBytes: number; mode: string; truncated: boolean }), bytes };
        }
        throw new NoAnswerError("The answer has no content.");
      });
    },
    writeFile: ({ bytes, ...input }) => {
      const body = encodeWireFrame({ head: input, bytes });
      return patiently(async () => {
        const answer = await readAll(await send("writeFile", body));
        return JSON.parse(answer.toString("utf8")) as { created: boolean; mode: string };
      });
    },
    listFiles: (input) => call("listFiles", input),
    deleteFile: (input) => call("deleteFile", input),
  };
}

/** The connection broke after output had come: the wait for sandboxd begins anew. */
class Progress extends Error {
  override readonly name = "Progress";
}

/** What the consumer of the output threw; it is no fault of the connection. */
class ConsumerError extends Error {
  override readonly name = "ConsumerError";
}

async function deliver(
  frame: CommandFrameHead & { type: "output" },
  bytes: Uint8Array,
  reached: { stdoutOffset: number; stderrOffset: number },
  onOutput: OnOutput,
): Promise<void> {
  const { stream, offset } = frame;
  const key = stream === "stdout" ? "stdoutOffset" : "stderrOffset";
  // A command that is started again is followed from its first byte; what came before is not given twice.
  const isSeen = Math.max(0, Math.min(bytes.length, reached[key] - offset));
  const rest = bytes.subarray(isSeen);
  if (rest.length === 0) return;
  try {
    await onOutput({ stream, offset: offset + isSeen, bytes: rest });
  } catch (error) {
    throw new ConsumerError("the consumer failed", { cause: error });
  }
  reached[key] = offset + bytes.length;
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let byteCount = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      byteCount += piece.length;
      if (byteCount > answerBytesMax) break;
      pieces.push(piece);
    }
  } catch (error) {
    throw new NoAnswerError(describeError(error), { cause: error });
  }
  return Buffer.concat(pieces);
}

/** A sandboxd that is stopping is as good as away: the next one answers. */
function asNoAnswer(error: DomainError): Error {
  return error.details["reason"] === "stopping" ? new NoAnswerError(error.message, { cause: error }) : error;
}

function unavailable(socketPath: string, cause: unknown): DomainError {
  const message = `sandboxd does not answer at ${socketPath}: is the stack up (npm run stack:status)?`;
  return new DomainError("sandbox.engine_unavailable", message, { reason: "sandboxd" }, { cause });
}

import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { z } from "zod";
import { describeError, DomainError, toErrorBody } from "../platform/errors";
import type { Logger } from "../platform/logger";
import { encodeCommandEnd, encodeWireFrame, readWireFrames, type CommandFrameHead } from "./frames";
import type { SandboxdHealth } from "./health";
import { isSandboxMethod, sandboxInputs, type SandboxMethod } from "./schema";
import type { CommandEnd, OutputChunk, SandboxId, Sandboxes } from "./types";

/** A file of at most 10 MiB with its head; the longest JSON is a command's environment and arguments. */
const bodyBytesMax = 16 * 1_048_576;
const none = new Uint8Array(0);

/** sandboxd's door for processes of this host: `POST /v1/<method>`, and `GET /health`. */
export interface SandboxdServer {
  readonly http: Server;
  /** Takes no new call, ends those under way with a typed error, and answers when all are gone. */
  stop(): Promise<void>;
}

/**
 * Serves the port `Sandboxes` over HTTP. Shape: the input is JSON, for `writeFile` a frame; the answer is JSON, for
 * `readFile` a frame, for `exec` and `followCommand` a stream of frames. Errors: `{ error }` under its own status.
 */
export function createSandboxdServer(deps: {
  sandboxes: Sandboxes;
  /** The materialisation that a call works on now. Errors: as every call on a Sandbox that is not live. */
  getRuntimeId: (sandboxId: SandboxId) => Promise<string>;
  describeHealth: () => Promise<SandboxdHealth>;
  logger: Logger;
}): SandboxdServer {
  const { sandboxes, getRuntimeId, describeHealth, logger } = deps;
  const stopping = new AbortController();
  // One listener a call under way, which is no leak.
  setMaxListeners(0, stopping.signal);
  const underWay = new Set<Promise<void>>();
  const http = createServer((incoming, response) => {
    const answering = answer(incoming, response).catch((error: unknown) => {
      sendError(response, toDomainError(error, logger));
    });
    underWay.add(answering);
    void answering.finally(() => underWay.delete(answering));
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method === "GET" && incoming.url === "/health")
      return sendJson(response, 200, await describeHealth());
    const method = /^\/v1\/([A-Za-z]+)$/.exec(incoming.url ?? "")?.[1] ?? "";
    if (incoming.method !== "POST" || !isSandboxMethod(method)) {
      throw new DomainError("input.invalid", "sandboxd has no such call.");
    }
    if (stopping.signal.aborted) throw stoppingError();
    const { input, bytes } = await readInput(incoming, method);
    await unlessStopped(stopping.signal, act(method, input, bytes, response));
  }

  async function act(
    method: SandboxMethod,
    input: unknown,
    bytes: Uint8Array,
    response: ServerResponse,
  ): Promise<void> {
    switch (method) {
      case "exec": {
        const { onlyIn, ...spec } = parse(sandboxInputs.exec, input);
        const runtimeId = await getRuntimeId(spec.sandboxId);
        if (onlyIn !== undefined && onlyIn !== runtimeId) throw startedAnew();
        return sendCommand({ response, runtimeId, stopping: stopping.signal }, (onOutput, signal) =>
          sandboxes.exec(spec, onOutput, signal),
        );
      }
      case "followCommand": {
        const { stdoutOffset = 0, stderrOffset = 0, ...rest } = parse(sandboxInputs.followCommand, input);
        const runtimeId = await getRuntimeId(rest.sandboxId);
        return sendCommand({ response, runtimeId, stopping: stopping.signal }, (onOutput, signal) =>
          sandboxes.followCommand({ ...rest, stdoutOffset, stderrOffset }, onOutput, signal),
        );
      }
      case "readFile": {
        const { offset = 0, ...rest } = parse(sandboxInputs.readFile, input);
        const { bytes: content, ...head } = await sandboxes.readFile({ ...rest, offset });
        response.writeHead(200, { "Content-Type": "application/octet-stream" });
        response.end(encodeWireFrame({ head, bytes: content }));
        return;
      }
      case "writeFile":
        return sendJson(
          response,
          200,
          await sandboxes.writeFile({ ...parse(sandboxInputs.writeFile, input), bytes }),
        );
      default:
        return sendJson(response, 200, (await callPlain(sandboxes, method, input)) ?? null);
    }
  }

  return {
    http,
    stop: async () => {
      http.close();
      stopping.abort(stoppingError());
      await Promise.allSettled(underWay);
      http.closeAllConnections();
    },
  };
}

interface CommandReader {
  response: ServerResponse;
  runtimeId: string;
  stopping: AbortSignal;
}

/** Sends what a command puts out as it comes; a reader that is slow holds the command's output back. */
async function sendCommand(
  { response, runtimeId, stopping }: CommandReader,
  run: (onOutput: (chunk: OutputChunk) => Promise<void>, signal: AbortSignal) => Promise<CommandEnd>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort(new Error("the reader is gone")));
  response.writeHead(200, { "Content-Type": "application/octet-stream" });
  const started: CommandFrameHead = { type: "started", runtimeId };
  response.write(encodeWireFrame({ head: started, bytes: none }));
  const onOutput = async ({ stream, offset, bytes }: OutputChunk): Promise<void> => {
    if (response.writableEnded) return;
    const head: CommandFrameHead = { type: "output", stream, offset };
    if (!response.write(encodeWireFrame({ head, bytes }))) await drained(response);
  };
  const end = await run(onOutput, AbortSignal.any([gone.signal, stopping]));
  // While sandboxd stops, the reader was told so before the command could be left.
  if (!response.writableEnded) response.end(encodeCommandEnd(end));
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

type PlainMethod = Exclude<SandboxMethod, "exec" | "followCommand" | "readFile" | "writeFile">;

function callPlain(sandboxes: Sandboxes, method: PlainMethod, input: unknown): Promise<unknown> {
  switch (method) {
    case "ensure":
      return sandboxes.ensure(withoutUndefined(parse(sandboxInputs.ensure, input)));
    case "touch":
      return sandboxes.touch(withoutUndefined(parse(sandboxInputs.touch, input)));
    case "find":
      return sandboxes.find(parse(sandboxInputs.find, input).sandboxId);
    case "list":
      return sandboxes.list();
    case "remove":
      return sandboxes.remove(parse(sandboxInputs.remove, input));
    case "prepareRun":
      return sandboxes.prepareRun(parse(sandboxInputs.prepareRun, input));
    case "removeRun":
      return sandboxes.removeRun(parse(sandboxInputs.removeRun, input));
    case "stopCommand":
      return sandboxes.stopCommand(parse(sandboxInputs.stopCommand, input));
    case "listFiles": {
      const { after, ...rest } = parse(sandboxInputs.listFiles, input);
      return sandboxes.listFiles(after === undefined ? rest : { ...rest, after });
    }
    case "deleteFile":
      return sandboxes.deleteFile(parse(sandboxInputs.deleteFile, input));
  }
}

function withoutUndefined(input: { sandboxId: SandboxId; sleepAfterMs?: number | undefined }): {
  sandboxId: SandboxId;
  sleepAfterMs?: number;
} {
  const { sandboxId, sleepAfterMs } = input;
  return sleepAfterMs === undefined ? { sandboxId } : { sandboxId, sleepAfterMs };
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new DomainError("input.invalid", faults.join("; "), { faults });
}

async function readInput(
  incoming: IncomingMessage,
  method: SandboxMethod,
): Promise<{ input: unknown; bytes: Uint8Array }> {
  const pieces: Buffer[] = [];
  let byteCount = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    byteCount += piece.length;
    if (byteCount > bodyBytesMax)
      throw new DomainError("limit.size", `A call carries at most ${bodyBytesMax} bytes.`);
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  try {
    if (method !== "writeFile") return { input: JSON.parse(body.toString("utf8")) as unknown, bytes: none };
    for await (const frame of readWireFrames(toAsync(body))) return { input: frame.head, bytes: frame.bytes };
  } catch (error) {
    throw new DomainError("input.invalid", "The call is neither JSON nor a frame.", {}, { cause: error });
  }
  throw new DomainError("input.invalid", "The call has no body.");
}

// eslint-disable-next-line @typescript-eslint/require-await -- frames are read from anything that comes in pieces
async function* toAsync(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

async function unlessStopped<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  let stop = (): void => {};
  const stopped = new Promise<never>((_resolve, reject) => (stop = () => reject(stoppingError())));
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function startedAnew(): DomainError {
  return new DomainError("sandbox.not_found", "The sandbox was started anew meanwhile.");
}

function stoppingError(): DomainError {
  return new DomainError("sandbox.engine_unavailable", "sandboxd is stopping. Ask again.", {
    reason: "stopping",
  });
}

function toDomainError(error: unknown, logger: Logger): DomainError {
  if (error instanceof DomainError) return error;
  logger.error({ err: error }, "a call failed");
  return new DomainError("internal", "sandboxd failed in a way that it does not know.", {
    reason: describeError(error),
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** Once frames are under way the error is the last of them. */
function sendError(response: ServerResponse, error: DomainError): void {
  if (response.writableEnded || response.destroyed) return;
  if (!response.headersSent) return sendJson(response, error.httpStatus, { error: toErrorBody(error) });
  const head: CommandFrameHead = { type: "error", error: toErrorBody(error) };
  response.end(encodeWireFrame({ head, bytes: none }));
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Settings } from "../platform/config";
import { describeError } from "../platform/errors";
import type { Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { askEngine, openEngineRequest } from "./engine-connection";
import { createEngineLookups } from "./engine-lookups";
import { judge } from "./rules";
import type { EngineCall, Verdict } from "./types";

/** The longest body that sandboxd sends is some 3 KiB. */
const bodyBytesMax = 65_536;
const bodyDeadlineMs = 10_000;
const refusedBy = "docker-proxy";

/**
 * Stands between sandboxd and the engine: a call goes through only when `judge` allows it, and then as a call of our
 * own making, so that no byte of the incoming one is parsed twice. Refusals are 403 with `{ message, refusedBy }`;
 * an engine that does not answer is 503. Also answers `GET /health`.
 */
export function createDockerProxy(deps: {
  engineSocket: string;
  settings: Settings;
  instance: Instance;
  logger: Logger;
}): Server {
  const { engineSocket, settings, instance, logger } = deps;
  const lookups = createEngineLookups(engineSocket);
  const server = createServer({ requestTimeout: bodyDeadlineMs, headersTimeout: bodyDeadlineMs });

  async function decide(incoming: IncomingMessage, read: () => Promise<Buffer>): Promise<Verdict> {
    const { method = "", url = "" } = incoming;
    const fault = describeHeaderFault(incoming);
    if (fault !== null) return { status: "refused", reason: fault };
    const bytes = await read();
    const body = bytes.length === 0 ? undefined : parseJson(bytes);
    if (body === null) return { status: "refused", reason: "The body is not JSON." };
    const verdict = await judge({ method, target: url, body }, { settings, instance, lookups });
    if (verdict.status === "refused")
      logger.warn({ method, url: url.slice(0, 300), reason: verdict.reason }, "refused a call");
    return verdict;
  }

  server.on("request", (incoming, response) => {
    response.shouldKeepAlive = false;
    void answer(incoming, response).catch((error: unknown) => {
      logger.warn({ err: error }, "a call to the engine failed");
      sendJson(response, 503, {
        message: `The engine does not answer at ${engineSocket}: ${describeError(error)}`,
      });
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method === "GET" && incoming.url === "/health")
      return sendJson(response, 200, await describeHealth(engineSocket));
    const verdict = await decide(incoming, () => readBody(incoming));
    if (verdict.status !== "forward") return sendVerdict(response, verdict);
    if (verdict.call.isHijack)
      return sendJson(response, 403, { message: "An exec is started with an upgrade.", refusedBy });
    await forwardCall(engineSocket, verdict.call, response);
  }

  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    void upgrade(incoming, socket, head).catch((error: unknown) => {
      logger.warn({ err: error }, "a stream to the engine failed");
      endRaw(socket, 503, "The engine does not answer.");
    });
  });

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const body = await readRawBody(incoming, socket, head);
    if (body === null) return endRaw(socket, 403, "The body has no usable length.");
    const verdict = await decide(incoming, () => Promise.resolve(body));
    if (verdict.status !== "forward")
      return endRaw(socket, verdict.status === "absent" ? 404 : 403, verdict.reason);
    if (!verdict.call.isHijack) return endRaw(socket, 403, "This call does not upgrade.");
    hijack(engineSocket, verdict.call, socket);
  }

  server.on("clientError", (_error, socket) => endRaw(socket, 400, "This is not a plain HTTP request."));
  server.on("connect", (_incoming, socket: Duplex) =>
    endRaw(socket, 403, "sandboxd does not make this call."),
  );
  server.on("checkContinue", (_incoming, response: ServerResponse) =>
    sendJson(response, 403, { message: "sandboxd does not ask first.", refusedBy }),
  );
  return server;
}

/** Anything that could make two parsers disagree about where a request ends, or what it is. */
function describeHeaderFault({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (httpVersion !== "1.1") return "Only HTTP 1.1 is spoken here.";
  if (headers["transfer-encoding"] !== undefined) return "A body has a length.";
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const repeated = ["content-length", "host", "upgrade"].find(
    (name) => names.filter((one) => one === name).length > 1,
  );
  if (repeated !== undefined) return `The header ${repeated} stands twice.`;
  if (headers.upgrade !== undefined && headers.upgrade !== "tcp") return "The only upgrade is to tcp.";
  return null;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let byteCount = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    byteCount += piece.length;
    if (byteCount > bodyBytesMax) return Buffer.from("too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Reads the body of a request that upgrades, which the parser leaves on the socket; null without a small length. */
async function readRawBody(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<Buffer | null> {
  const length = Number(incoming.headers["content-length"] ?? Number.NaN);
  if (!Number.isInteger(length) || length > bodyBytesMax) return null;
  let bytes = head;
  while (bytes.length < length) {
    const piece = await readPiece(socket);
    if (piece === null) return null;
    bytes = Buffer.concat([bytes, piece]);
  }
  if (bytes.length > length) socket.unshift(bytes.subarray(length));
  return bytes.subarray(0, length);
}

function readPiece(socket: Duplex): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const take = (): void => {
      const piece = socket.read() as Buffer | null;
      if (piece === null) return;
      finish(piece);
    };
    const stop = (): void => finish(null);
    const finish = (piece: Buffer | null): void => {
      socket.off("readable", take).off("end", stop).off("close", stop);
      resolve(piece);
    };
    socket.on("readable", take).on("end", stop).on("close", stop);
    take();
  });
}

/** Null for what is not JSON; no allowed body is `null`. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return null;
  }
}

async function forwardCall(engineSocket: string, call: EngineCall, response: ServerResponse): Promise<void> {
  const outgoing = openEngineRequest(engineSocket, call);
  response.once("close", () => outgoing.destroy());
  outgoing.end();
  const answered = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  response.writeHead(answered.statusCode ?? 502, {
    "Content-Type": answered.headers["content-type"] ?? "application/json",
  });
  answered.on("error", () => response.destroy());
  answered.pipe(response);
}

function hijack(engineSocket: string, call: EngineCall, socket: Duplex): void {
  const outgoing = openEngineRequest(engineSocket, call);
  outgoing.end();
  outgoing.once("error", () => endRaw(socket, 503, "The engine does not answer."));
  outgoing.once("response", (answered) => {
    answered.resume();
    endRaw(socket, answered.statusCode ?? 502, "The engine did not open a stream.");
  });
  outgoing.once("upgrade", (_answered, engine: Duplex, head: Buffer) => {
    socket.write(
      "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n",
    );
    if (head.length > 0) engine.unshift(head);
    // pipe ends each side when the other has ended, and only then: a stream can be closed one way.
    socket.pipe(engine);
    engine.pipe(socket);
    engine.on("error", () => socket.destroy());
    socket.on("close", () => engine.destroy());
  });
}

function sendVerdict(response: ServerResponse, verdict: Exclude<Verdict, { status: "forward" }>): void {
  if (verdict.status === "absent") sendJson(response, 404, { message: verdict.reason });
  else sendJson(response, 403, { message: `Refused by the socket proxy: ${verdict.reason}`, refusedBy });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function endRaw(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ message, refusedBy });
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  if (socket.writable) socket.end(head + body);
  else socket.destroy();
}

async function describeHealth(engineSocket: string): Promise<{ status: "ok" | "down"; detail: string }> {
  try {
    const { status } = await askEngine(engineSocket, "/version");
    if (status === 200) return { status: "ok", detail: "The engine answers." };
    return { status: "down", detail: `The engine answers ${status} at ${engineSocket}.` };
  } catch (error) {
    return {
      status: "down",
      detail: `The engine does not answer at ${engineSocket}: ${describeError(error)}`,
    };
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BlockList, isIP, type AddressInfo, type Socket } from "node:net";
import { DomainError, describeError, toErrorBody } from "./errors";
import type { Logger } from "./logger";
import type { OrdinaryNetwork } from "./ordinary-network";

/** What every process says of itself. `detail` is words that an operator can act on. */
export interface Health {
  status: "ok" | "degraded" | "down";
  detail: string;
}

/** One call on a control port. `bearer` is the token of the Authorization header, not yet verified. */
export interface ControlRequest {
  query: URLSearchParams;
  bearer: string | null;
  /** The body as text; empty when there is none. */
  body: string;
}

/** `body` is sent as JSON; `bytes` as they are, no faster than they are taken. */
export type ControlAnswer =
  { status: number; body: unknown } | { status: number; sizeBytes: number; bytes: AsyncIterable<Uint8Array> };

/** Answers one call; a `DomainError` that it throws becomes its status and error body. */
export type ControlRoute = (request: ControlRequest) => Promise<ControlAnswer>;

export interface ControlServer {
  /** Opens the port on the ordinary network's own address only. */
  listen(port: number): Promise<AddressInfo>;
  close(): Promise<void>;
}

const bodyBytesMax = 4 * 1024 * 1024;
const requestMs = 10_000;

/**
 * Serves the control side of a service that agents can reach by other addresses. Answers only connections whose both ends
 * lie in the ordinary network or are loopback, because the kernel takes a packet for any own address on any interface; all
 * others are closed without a byte. `routes` are keyed `METHOD /path`; `GET /health` is always there and public.
 */
export function createControlServer(deps: {
  network: OrdinaryNetwork;
  health: () => Promise<Health>;
  routes: Readonly<Record<string, ControlRoute>>;
  logger: Logger;
}): ControlServer {
  const isInside = createInsideTest(deps.network);
  const routes: Record<string, ControlRoute> = {
    ...deps.routes,
    "GET /health": async () => ({ status: 200, body: await deps.health() }),
  };
  const isControl = (socket: Socket): boolean =>
    isInside(socket.localAddress) && isInside(socket.remoteAddress);

  const server = createServer((request, response) => {
    if (!isControl(request.socket)) request.socket.destroy();
    else void answer(request, response, routes, deps.logger);
  });
  server.on("connection", (socket) => {
    if (!isControl(socket)) socket.destroy();
  });
  server.requestTimeout = requestMs;
  server.headersTimeout = requestMs;
  return {
    listen: (port) => listen(server, port, deps.network.address),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** True for addresses of the network and for loopback; for nothing that is not known to be either. */
function createInsideTest(network: OrdinaryNetwork): (address: string | undefined) => boolean {
  const inside = new BlockList();
  const [base = "", bits = ""] = network.cidr.split("/");
  inside.addSubnet(base, Number(bits), "ipv4");
  inside.addSubnet("127.0.0.0", 8, "ipv4");
  return (address) => {
    const plain = address?.replace(/^::ffff:/, "") ?? "";
    return plain === "::1" || (isIP(plain) === 4 && inside.check(plain, "ipv4"));
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Readonly<Record<string, ControlRoute>>,
  logger: Logger,
): Promise<void> {
  try {
    const url = new URL(request.url ?? "/", "http://control");
    const key = `${request.method ?? ""} ${url.pathname}`;
    const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
    if (route === undefined)
      return send(response, 404, { code: "input.invalid", message: "There is no such call.", details: {} });
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null;
    const answered = await route({ query: url.searchParams, bearer, body: await readBody(request) });
    if ("bytes" in answered) await sendBytes(response, answered);
    else send(response, answered.status, answered.body);
  } catch (error) {
    if (error instanceof DomainError) return send(response, error.httpStatus, toErrorBody(error));
    if (response.headersSent) {
      // Whoever reads on must see that it broke off; often it is the reader who left.
      response.destroy();
      logger.info({ reason: describeError(error) }, "the answer to a control call broke off");
      return;
    }
    logger.error({ err: error }, "a control call failed");
    send(response, 500, toErrorBody(new DomainError("internal", "This call failed inside the service.")));
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    const buffer = piece as Buffer;
    bytes += buffer.length;
    if (bytes > bodyBytesMax) throw new DomainError("limit.size", "The body is too large.");
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

async function sendBytes(
  response: ServerResponse,
  { status, sizeBytes, bytes }: Extract<ControlAnswer, { sizeBytes: number }>,
): Promise<void> {
  response.writeHead(status, {
    "content-type": "application/octet-stream",
    "content-length": String(sizeBytes),
    "cache-control": "no-store",
  });
  await pipeline(Readable.from(bytes, { objectMode: false }), response);
}

function listen(server: Server, port: number, address: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      const bound = server.address();
      if (bound === null || typeof bound === "string") reject(new Error("The control port has no address."));
      else resolve(bound);
    });
  });
}

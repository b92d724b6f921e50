import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Clock } from "../platform/clock";
import { canonicalAddress } from "./address-ranges";
import { createConnectionTable, type Connection } from "./connections";
import type { DecisionLog } from "./decisions";
import { dialFirst, type ConnectTo } from "./dial";
import { judgeRequest, type Permission, type Refusal } from "./judge";
import { exchangePlain } from "./plain-request";
import type { PolicyInForce } from "./policy";
import { proxyUserOf } from "./proxy-user";
import { readHead } from "./read-head";
import { failureAnswer, refusalAnswer, type OwnAnswer } from "./refusal-text";
import { passOn } from "./relay";
import { parseRequestHead, type RequestHead } from "./request-head";
import { findAddresses } from "./permitted-addresses";
import type { ResolveName } from "./resolver";
import type { FailureReason } from "./types";

/** Bounds of every connection. Milliseconds and bytes as the names say. */
export interface ProxyLimits {
  headBytesMax: number;
  headMs: number;
  resolveMs: number;
  connectMs: number;
  /** Silence after which an open connection is ended. */
  quietMs: number;
  connectionsPerSourceMax: number;
  connectionsMax: number;
}

export const proxyLimits: ProxyLimits = {
  headBytesMax: 32_768,
  headMs: 15_000,
  resolveMs: 10_000,
  connectMs: 10_000,
  quietMs: 300_000,
  connectionsPerSourceMax: 256,
  connectionsMax: 4_096,
};

export interface EgressProxy {
  /** Resolves once the port is open. */
  listen(port: number, address: string): Promise<AddressInfo>;
  readonly connectionCount: number;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

interface ProxyDeps {
  clock: Clock;
  /** The policy at this moment; asked again for each request. */
  policy: () => PolicyInForce | null;
  resolve: ResolveName;
  connect: ConnectTo;
  decisions: DecisionLog;
  limits: ProxyLimits;
}

/** How long the client may take to read an answer of the proxy itself. */
const answerMs = 5_000;

/**
 * The one way out of a Sandbox. Each connection carries one request, judged by its source and target before any name is
 * resolved; then every address of the name is looked at, and one of exactly these is dialled. What cannot be decided is
 * refused, with a text that says what to do. Nothing that an agent sent is kept but what a `Decision` holds.
 */
export function createEgressProxy(deps: ProxyDeps): EgressProxy {
  const table = createConnectionTable({
    clock: deps.clock,
    perSourceMax: deps.limits.connectionsPerSourceMax,
    totalMax: deps.limits.connectionsMax,
  });
  const server = createServer({ noDelay: true, pauseOnConnect: false }, (client) => {
    const source = canonicalAddress(client.remoteAddress ?? "") ?? "unknown";
    const connection = table.admit(client, source);
    if (connection === null) turnAway(client, source, deps);
    else void serve(connection, source, deps).catch(() => connection.end());
  });

  return {
    listen: (port, address) => listen(server, port, address),
    get connectionCount() {
      return table.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        table.close();
      }),
  };
}

async function serve(connection: Connection, source: string, deps: ProxyDeps): Promise<void> {
  const { client } = connection;
  connection.limit(deps.limits.headMs, () => answerSelf(connection, headAnswers.timeout));
  const read = await readHead(client, deps.limits.headBytesMax);
  if (connection.ended.aborted) return;
  if (!read.ok && read.fault === "closed") return connection.end();
  const parsed = read.ok ? parseRequestHead(read.head) : null;
  if (!read.ok || parsed === null || !parsed.ok) {
    const detail = parsed?.ok === false ? parsed.detail : "the head has no clean end";
    const refusal = refuseMalformed(detail);
    deps.decisions.record({ ...decisionOf(refusal, source), method: null, proxyUser: null }, detail);
    return answerSelf(
      connection,
      !read.ok && read.fault === "too_large" ? headAnswers.tooLarge : refusalAnswer(refusal),
    );
  }

  const { head } = parsed;
  const seen = { source, method: head.method, proxyUser: proxyUserOf(head.headers) };
  const judgement = judgeRequest({ policy: deps.policy(), source, head });
  if (judgement.verdict === "refused") {
    deps.decisions.record({ ...decisionOf(judgement, source), ...seen }, judgement.detail);
    return answerSelf(connection, refusalAnswer(judgement));
  }
  await open(
    { connection, head, rest: (read.ok && read.rest) || Buffer.alloc(0), permission: judgement, seen },
    deps,
  );
}

interface OpenInput {
  connection: Connection;
  head: RequestHead;
  rest: Buffer;
  permission: Permission;
  seen: { source: string; method: string; proxyUser: string | null };
}

async function open(input: OpenInput, deps: ProxyDeps): Promise<void> {
  const { connection, permission, seen } = input;
  const { host, port, sandboxId } = permission;
  const startMs = deps.clock.monotonicMs();
  const fail = (reason: FailureReason): void => {
    deps.decisions.record({ ...seen, sandboxId, host, port, verdict: "failed", reason });
    answerSelf(connection, failureAnswer(reason, host, port));
  };
  // Resolving and dialling have bounds of their own; only the client can end the connection meanwhile.
  connection.limit(Number.POSITIVE_INFINITY, () => connection.end());
  const found = await findAddresses({
    permission,
    resolve: deps.resolve,
    clock: deps.clock,
    timeoutMs: deps.limits.resolveMs,
  });
  if (found.status === "failed") return fail("resolve_failed");
  if (found.status === "refused") {
    const refusal: Refusal = {
      ...permission,
      verdict: "refused",
      reason: "address",
      status: 403,
      detail: found.detail,
    };
    deps.decisions.record(
      { ...decisionOf(refusal, seen.source), ...seen },
      `${found.detail} (${found.address})`,
    );
    return answerSelf(connection, refusalAnswer(refusal));
  }
  const dialled = await dialFirst({
    addresses: found.addresses,
    port,
    timeoutMs: deps.limits.connectMs,
    connect: deps.connect,
    clock: deps.clock,
    signal: connection.ended,
  });
  if (!dialled.ok) return fail(dialled.reason);

  const { socket: upstream } = dialled;
  connection.adopt(upstream);
  const counts = { bytesUp: 0, bytesDown: 0 };
  const recordEnd = deps.decisions.record(
    { ...seen, sandboxId, host, port, verdict: "allowed", reason: null },
    `dialled ${dialled.address}`,
  );
  const onEnd = (): void =>
    recordEnd({ ...counts, durationMs: Math.round(deps.clock.monotonicMs() - startMs) });
  if (connection.ended.aborted) return onEnd();
  connection.ended.addEventListener("abort", onEnd, { once: true });
  connection.watch(deps.limits.quietMs, () => connection.end());
  // A host that was taken off the allowlist is out of reach for what is open already, too.
  connection.holdWhile(() => deps.policy()?.isAllowed(host) === true);
  const onUp = (count: number): void => void (counts.bytesUp += count);
  const onDown = (count: number): void => void (counts.bytesDown += count);

  if (permission.path !== null) {
    const { answered } = await exchangePlain({ ...input, upstream, onUp, onDown });
    if (!answered && !connection.ended.aborted)
      answerSelf(connection, failureAnswer("connect_failed", host, port));
    return;
  }
  connection.client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (input.rest.length > 0) {
    onUp(input.rest.length);
    upstream.write(input.rest);
  }
  passOn({ connection, from: connection.client, to: upstream, onBytes: onUp });
  passOn({ connection, from: upstream, to: connection.client, onBytes: onDown });
}

const headAnswers = {
  timeout: { status: 408, phrase: "Request Timeout", text: "The request head did not come in time.\n" },
  tooLarge: {
    status: 431,
    phrase: "Request Header Fields Too Large",
    text: "The request head is too large.\n",
  },
};

function refuseMalformed(detail: string): Refusal {
  return {
    verdict: "refused",
    reason: "request_malformed",
    status: 400,
    detail,
    sandboxId: null,
    host: null,
    port: null,
  };
}

function decisionOf(
  refusal: Refusal,
  source: string,
): Omit<Parameters<DecisionLog["record"]>[0], "method" | "proxyUser"> {
  const { sandboxId, host, port, reason } = refusal;
  return { source, sandboxId, host, port, verdict: "refused", reason };
}

function answerSelf(connection: Connection, answer: OwnAnswer): void {
  connection.limit(answerMs, () => connection.end());
  // Reads on and drops it: an end with unread bytes would take the answer with it.
  connection.client.on("data", () => {});
  connection.client.resume();
  connection.client.end(answerBytes(answer));
}

/** The socket has no place in the table, so it is closed as soon as the kernel has the answer. */
function turnAway(client: Socket, source: string, deps: ProxyDeps): void {
  const detail = "too many connections are open at once";
  const refusal: Refusal = { ...refuseMalformed(detail), reason: "limit" };
  deps.decisions.record({ ...decisionOf(refusal, source), method: null, proxyUser: null }, detail);
  client.on("error", () => client.destroy());
  client.once("finish", () => client.destroy());
  client.end(answerBytes({ ...refusalAnswer(refusal), status: 503 }));
}

function answerBytes({ status, phrase, text }: OwnAnswer): string {
  return [
    `HTTP/1.1 ${status} ${phrase}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
    "",
    text,
  ].join("\r\n");
}

function listen(server: Server, port: number, address: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      const bound = server.address();
      if (bound === null || typeof bound === "string") reject(new Error("The proxy port has no address."));
      else resolve(bound);
    });
  });
}

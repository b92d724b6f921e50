import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../platform/clock";
import type { Logger } from "../platform/logger";
import { isDirectory } from "./bare-repository";
import type { Visitor } from "./door-access";
import type { Git, GitProcess } from "./git-command";
import type { Grants } from "./grants";
import type { Places } from "./places";
import { createPackWatch, pump, writePiece } from "./pump";
import { flushPacket, packetLine, readPushHead, refusalReport, type PushHead } from "./push-commands";
import { judgePush, peoplePushRule, runPushRule } from "./push-rules";
import type { Repositories } from "./repositories";
import type { SmartRequest } from "./repository-paths";
import { BodyError, readBody, type BodyFault, type BodyLimits } from "./request-body";
import type { KeyedTurns, Turns } from "./turns";
import type { UnderWay } from "./under-way";

/** What a client may cost. */
export interface DoorLimits {
  /** Of a fetch's request, which holds commit names only. */
  fetchBytesMax: number;
  runPushBytesMax: number;
  peoplePushBytesMax: number;
  pushObjectsMax: number;
  /** A client that sends less than this much in a window is cut. */
  windowMs: number;
  windowBytesMin: number;
  /** The longest that one request may take. */
  requestMs: number;
  servedAtOnceMax: number;
}

export const doorLimits: DoorLimits = {
  fetchBytesMax: 16 * 1024 * 1024,
  runPushBytesMax: 512 * 1024 * 1024,
  peoplePushBytesMax: 2 * 1024 * 1024 * 1024,
  pushObjectsMax: 1_000_000,
  windowMs: 15_000,
  windowBytesMin: 15 * 1024,
  requestMs: 900_000,
  servedAtOnceMax: 16,
};

export interface DoorDeps {
  git: Git;
  places: Places;
  repositories: Repositories;
  grants: Grants;
  underWay: UnderWay;
  turns: Turns;
  tokenTurns: KeyedTurns;
  clock: Clock;
  logger: Logger;
  limits: DoorLimits;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  smart: SmartRequest;
  visitor: Visitor;
  directory: string;
}

/**
 * Answers a request that was let in. The client's wish for protocol version 2 is never handed to git: in version 2 a client may
 * ask for any object that the store holds, and a fork's store borrows the canonical one. In version 0 git gives only what
 * the repository's own refs reach. Source: gitprotocol-v2, "fetch".
 */
export async function answerSmartRequest(exchange: Exchange, deps: DoorDeps): Promise<void> {
  const { smart, visitor, response } = exchange;
  if (!(await isDirectory(exchange.directory)))
    return sendText(response, 404, "There is no such repository.\n");
  const giveBack = await deps.turns.take();
  try {
    if (smart.step === "advertise") return await advertise(exchange, deps);
    if (visitor.kind === "people") return await serve(exchange, deps);
    // One after the other: a token that the first one uses up is dead for the second.
    const leave = await deps.tokenTurns.take(visitor.claims.jti);
    try {
      if (await deps.grants.isLive(visitor.claims)) return await serve(exchange, deps);
      sendUnauthorized(response);
    } finally {
      leave();
    }
  } finally {
    giveBack();
  }
}

async function advertise({ smart, directory, response }: Exchange, deps: DoorDeps): Promise<void> {
  const subcommand = smart.service.slice("git-".length);
  const refs = await deps.git.succeed({
    args: [subcommand, "--stateless-rpc", "--advertise-refs", directory],
  });
  response.writeHead(200, headersOf(`application/x-${smart.service}-advertisement`));
  response.end(Buffer.concat([packetLine(`# service=${smart.service}\n`), flushPacket, refs]));
}

async function serve(exchange: Exchange, deps: DoorDeps): Promise<void> {
  const body = readBody(exchange.request, bodyLimitsOf(exchange, deps.limits), deps.clock);
  if (exchange.smart.service === "git-upload-pack") return runService(exchange, deps, body, Buffer.alloc(0));
  try {
    const received = await receivePushHead(body);
    if (received === null) return sendText(exchange.response, 400, "This is not a push.\n");
    const { head, bytes } = received;
    if (head.updates.length === 0) return sendResult(exchange, Buffer.alloc(0));
    const refusal = judge(exchange.visitor, head, deps.limits);
    if (refusal === null) return await runService(exchange, deps, body, bytes);
    // Read to its end, so that the client gets to read its answer.
    while ((await body.next()).done !== true);
    sendResult(exchange, refusalReport(head, refusal));
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    sendFault(exchange.response, error.fault);
  }
}

function judge(visitor: Visitor, head: PushHead, limits: DoorLimits): ReturnType<typeof judgePush> {
  if ((head.objectCount ?? 0) > limits.pushObjectsMax) return () => "this push holds too many objects";
  if (visitor.kind === "people") return judgePush(head, peoplePushRule);
  const { grant } = visitor.claims;
  return grant.right === "push" ? judgePush(head, runPushRule(grant)) : () => "this token does not push";
}

async function receivePushHead(
  body: AsyncGenerator<Buffer>,
): Promise<{ head: PushHead; bytes: Buffer } | null> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const next = await body.next();
    if (next.done !== true) bytes = Buffer.concat([bytes, next.value]);
    const result = readPushHead(bytes, next.done === true);
    if (result.status === "complete") return { head: result.head, bytes };
    if (result.status === "malformed" || bytes.length > pushHeadBytesMax) return null;
  }
}

const pushHeadBytesMax = 4 * 1024 * 1024;

async function runService(
  exchange: Exchange,
  deps: DoorDeps,
  body: AsyncGenerator<Buffer>,
  first: Buffer,
): Promise<void> {
  const { response, smart, visitor, directory } = exchange;
  const isRun = visitor.kind === "run";
  const child = deps.git.start({
    args: [smart.service.slice("git-".length), "--stateless-rpc", directory],
    config: {
      "receive.denyNonFastForwards": String(isRun),
      "receive.denyDeletes": String(isRun),
      "receive.maxInputSize": String(isRun ? deps.limits.runPushBytesMax : deps.limits.peoplePushBytesMax),
    },
  });
  const closed = once(child, "close").then(([code]) => code as number | null);
  const over = new AbortController();
  const manner = smart.service === "git-receive-pack" ? "receiving" : "at_once";
  const end = (): Promise<void> => deps.git.end(child, manner);
  const isServed = new Promise<void>((resolve) => over.signal.addEventListener("abort", () => resolve()));
  const leave = isRun
    ? deps.underWay.begin(visitor.claims, async () => {
        await end();
        await isServed;
      })
    : () => undefined;
  response.once("close", () => void end());
  void deps.clock.sleep(deps.limits.requestMs, over.signal).then(end, () => undefined);
  try {
    const watch = createPackWatch();
    const [fault, exitCode] = await Promise.all([
      feed(child, body, first, end),
      closed,
      sendOutput(exchange, child, (piece) => watch.look(piece)),
      keepStderr(child, deps, smart),
    ]);
    await settle(exchange, deps, exitCode === 0 && watch.hasSeenPack());
    if (fault !== null && !response.headersSent) sendFault(response, fault);
    else response.end();
  } finally {
    leave();
    over.abort();
  }
}

/** Ends the token when its one clone, or its one update, has come about, before the client can see the end of the answer. */
async function settle({ visitor, directory }: Exchange, deps: DoorDeps, isCloned: boolean): Promise<void> {
  if (visitor.kind === "people") return;
  const { grant } = visitor.claims;
  const isDone =
    grant.right === "fetch"
      ? isCloned
      : (await deps.repositories.resolveRef(directory, grant.ref)) === grant.newCommit;
  if (isDone) await deps.grants.use(visitor.claims);
}

/** Gives git the request. A body that breaks off ends git, which then leaves nothing behind. */
async function feed(
  child: GitProcess,
  body: AsyncGenerator<Buffer>,
  first: Buffer,
  end: () => Promise<void>,
): Promise<BodyFault | null> {
  try {
    if (first.length > 0) await writePiece(child.stdin, first);
    for await (const piece of body) if (!(await writePiece(child.stdin, piece))) break;
    child.stdin.end();
    return null;
  } catch (error) {
    await end();
    if (error instanceof BodyError) return error.fault;
    throw error;
  }
}

async function sendOutput(
  exchange: Exchange,
  child: GitProcess,
  look: (piece: Buffer) => void,
): Promise<void> {
  await pump(child.stdout, exchange.response, (piece) => {
    if (!exchange.response.headersSent)
      exchange.response.writeHead(200, headersOf(`application/x-${exchange.smart.service}-result`));
    look(piece);
  });
  // Whoever left early is owed no more, but git must be able to end.
  child.stdout.resume();
}

async function keepStderr(child: GitProcess, deps: DoorDeps, smart: SmartRequest): Promise<void> {
  let said = "";
  for await (const piece of child.stderr as AsyncIterable<Buffer>)
    said = (said + piece.toString("utf8")).slice(-2_000);
  if (said !== "") deps.logger.info({ ...smart.repository, service: smart.service, said }, "git said");
}

function bodyLimitsOf({ smart, visitor }: Exchange, limits: DoorLimits): BodyLimits {
  const pushBytesMax = visitor.kind === "run" ? limits.runPushBytesMax : limits.peoplePushBytesMax;
  return {
    bytesMax: smart.service === "git-upload-pack" ? limits.fetchBytesMax : pushBytesMax,
    windowMs: limits.windowMs,
    windowBytesMin: limits.windowBytesMin,
  };
}

function sendResult({ response, smart }: Exchange, bytes: Buffer): void {
  response.writeHead(200, headersOf(`application/x-${smart.service}-result`));
  response.end(bytes);
}

function sendFault(response: ServerResponse, fault: BodyFault): void {
  if (fault === "too_large") sendText(response, 413, "This push is too large.\n");
  else if (fault === "too_slow") sendText(response, 408, "Too little was sent in too long a time.\n");
  else sendText(response, 400, "The request could not be read.\n");
}

export function sendUnauthorized(response: ServerResponse): void {
  response.setHeader("www-authenticate", 'Basic realm="rhumbatron"');
  sendText(response, 401, "A Run token is required.\n");
}

/** The rest of the request is not read: the connection ends with the answer. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...headersOf("text/plain; charset=utf-8"), connection: "close" });
  response.end(text);
}

function headersOf(contentType: string): Record<string, string> {
  return { "content-type": contentType, "cache-control": "no-store" };
}

import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { EngineCall } from "./types";

/** What an engine answers to an inspect is far below this. */
const answerBytesMax = 16 * 1_048_576;
const lookupDeadlineMs = 10_000;

/** Reads one JSON answer of the engine. Errors: rejects when it does not answer within 10 s. */
export async function askEngine(
  engineSocket: string,
  target: string,
): Promise<{ status: number; body: unknown }> {
  const outgoing = openEngineRequest(engineSocket, { method: "GET", target });
  outgoing.setTimeout(lookupDeadlineMs, () => outgoing.destroy(new Error("The engine does not answer.")));
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  const pieces: Buffer[] = [];
  let byteCount = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    byteCount += piece.length;
    if (byteCount > answerBytesMax) throw new Error("The engine's answer is too long.");
    pieces.push(piece);
  }
  return {
    status: response.statusCode ?? 0,
    body: JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown,
  };
}

/**
 * Opens a call to the engine with headers of our own making only; the caller ends it. Sockets stay open for reading
 * when the other side has ended, so that a hijacked stream can be closed one way.
 */
export function openEngineRequest(engineSocket: string, call: EngineCall): ClientRequest {
  const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
  const outgoing = request({
    createConnection: () => connect({ path: engineSocket, allowHalfOpen: true }),
    method: call.method,
    path: call.target,
    headers: {
      Host: "engine",
      ...(call.isHijack ? { Connection: "Upgrade", Upgrade: "tcp" } : { Connection: "close" }),
      ...(payload === undefined
        ? {}
        : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(payload) }),
    },
  });
  if (payload !== undefined) outgoing.write(payload);
  return outgoing;
}

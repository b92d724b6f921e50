import { request as openRequest, type IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Sends one request and gives the answer as soon as its head is there; both bodies stream. It rejects when the connection ends
 * before that. `fetch` of Node 20 is not used because it can wait for ever when a connection is reset as soon as it stands,
 * which is what a published port of a container does while the container starts.
 */
export function callHttp(
  url: URL,
  input: {
    method: string;
    headers: Readonly<Record<string, string>>;
    body: Readable | string | null;
    signal: AbortSignal;
  },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, {
      method: input.method,
      headers: input.headers,
      agent: false,
      signal: input.signal,
    });
    request.once("response", resolve);
    request.once("error", reject);
    if (input.body === null || typeof input.body === "string") request.end(input.body ?? undefined);
    else pipeline(input.body, request).catch(reject);
  });
}

/** Reads an answer to its end. */
export async function readAnswer(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

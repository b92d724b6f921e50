import type { Socket } from "node:net";
import type { Connection } from "./connections";
import type { Permission } from "./judge";
import { readHead } from "./read-head";
import { endTogether, passOn } from "./relay";
import { createBodyReader } from "./request-body";
import { headerValues, parseHeaderLines, splitLines, type Header, type RequestHead } from "./request-head";

/** Fields that speak to the next hop only. Source: RFC 9110, section 7.6.1, and what older clients send to proxies. */
const hopByHop = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);
const responseHeadBytesMax = 65_536;

export interface PlainExchange {
  connection: Connection;
  upstream: Socket;
  head: RequestHead;
  permission: Permission;
  /** Bytes that came behind the head. */
  rest: Buffer;
  onUp: (count: number) => void;
  onDown: (count: number) => void;
}

/**
 * Sends one judged request and passes its answer back, redirects too, and nothing after it: the connection ends with the
 * answer, so there is no second request that nobody judged. Resolves once the answer's head has been passed on;
 * `answered: false` means that the client has had no byte and can be told of a failure.
 */
export async function exchangePlain(exchange: PlainExchange): Promise<{ answered: boolean }> {
  const { connection, upstream } = exchange;
  const { client } = connection;
  const requestHead = writeRequestHead(exchange.head, exchange.permission);
  exchange.onUp(requestHead.length);
  upstream.write(requestHead);
  endTogether(connection, client, upstream);
  sendBody(exchange);

  let start: Buffer = Buffer.alloc(0);
  for (;;) {
    const read = await readHead(upstream, responseHeadBytesMax, start);
    if (!read.ok) return { answered: false };
    const answer = rewriteResponseHead(read.head);
    if (answer === null) return { answered: false };
    exchange.onDown(read.head.length);
    connection.touch();
    client.write(answer.bytes);
    if (answer.isInterim) {
      start = read.rest;
      continue;
    }
    if (read.rest.length > 0) {
      exchange.onDown(read.rest.length);
      client.write(read.rest);
    }
    passOn({ connection, from: upstream, to: client, onBytes: exchange.onDown });
    return { answered: true };
  }
}

/** Feeds the body to the upstream as far as its framing reaches; a body that breaks its framing ends the connection. */
function sendBody({ connection, upstream, head, rest, onUp }: PlainExchange): void {
  const { client } = connection;
  const reader = createBodyReader(head.body);
  let isComplete = false;
  const take = (piece: Buffer): void => {
    connection.touch();
    if (isComplete) return;
    const result = reader.take(piece);
    if (!result.ok) return connection.end();
    isComplete = result.complete;
    onUp(result.bytes.length);
    if (result.bytes.length > 0 && upstream.writable && !upstream.write(result.bytes)) client.pause();
  };
  upstream.on("drain", () => client.resume());
  // An upstream that answered early takes no more; what the client still sends is read and dropped.
  upstream.once("close", () => client.resume());
  take(rest);
  client.on("data", take);
  client.resume();
}

function writeRequestHead(head: RequestHead, permission: Permission): Buffer {
  const kept = withoutHopByHop(head.headers).filter(
    ([name]) => name !== "host" && name !== "content-length" && name !== "transfer-encoding",
  );
  const framing: Header[] =
    head.body.kind === "chunked"
      ? [["transfer-encoding", "chunked"]]
      : head.body.kind === "length"
        ? [["content-length", String(head.body.bytes)]]
        : [];
  return writeHead(`${head.method} ${permission.path ?? "/"} HTTP/${head.version}`, [
    ["host", permission.host],
    ...kept,
    ...framing,
    ["connection", "close"],
  ]);
}

/** Null for an answer that is not HTTP/1.x or that switches protocols, which no request of ours asked for. */
function rewriteResponseHead(bytes: Buffer): { bytes: Buffer; isInterim: boolean } | null {
  const [statusLine = "", ...lines] = splitLines(bytes) ?? [];
  const status = /^HTTP\/1\.[01] ([1-9][0-9]{2})(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine)?.[1];
  const headers = parseHeaderLines(lines);
  if (status === undefined || status === "101" || headers === null) return null;
  const isInterim = status.startsWith("1");
  const kept = withoutHopByHop(headers);
  return { bytes: writeHead(statusLine, isInterim ? kept : [...kept, ["connection", "close"]]), isInterim };
}

function withoutHopByHop(headers: readonly Header[]): Header[] {
  const nominated = new Set(
    headerValues(headers, "connection").flatMap((value) =>
      value.split(",").map((name) => name.trim().toLowerCase()),
    ),
  );
  // Whoever nominates the framing itself does not get to remove it.
  nominated.delete("content-length");
  nominated.delete("transfer-encoding");
  return headers.filter(([name]) => !hopByHop.has(name) && !nominated.has(name));
}

function writeHead(firstLine: string, headers: readonly Header[]): Buffer {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.from(lines.join("\r\n"), "latin1");
}

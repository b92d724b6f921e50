import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

/** A real HTTP server in front of a handler of Requests, as Next is in front of the product's. */
export interface FetchServer {
  /** Without a slash at its end. */
  baseUrl: string;
  close(): Promise<void>;
}

export async function serveFetch(handle: (request: Request) => Promise<Response>): Promise<FetchServer> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const response = await handle(toRequest(incoming));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body === null) return outgoing.end();
      return Readable.fromWeb(response.body as unknown as NodeReadableStream).pipe(outgoing);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function toRequest(incoming: IncomingMessage): Request {
  const init: RequestInit & { duplex: "half" } = {
    method: incoming.method ?? "GET",
    headers: incoming.headers as Record<string, string>,
    duplex: "half",
    ...(incoming.method === "POST" ? { body: Readable.toWeb(incoming) as unknown as ReadableStream } : {}),
  };
  return new Request(new URL(incoming.url ?? "/", "http://dashboard.test"), init);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ServiceTokenVerifier } from "../platform/service-token";

/**
 * The port that agents reach. Whoever has no valid Run token gets one and the same answer on every path and method, so
 * nothing can be learned about which repositories there are; with one, a repository that does not exist is not found.
 * The password of the basic credentials is the token; the user name does not matter.
 */
export function createRepositoryDoor(deps: { verifier: ServiceTokenVerifier }): Server {
  return createServer((request, response) => {
    void isWelcome(request, deps.verifier).then((welcome) => {
      if (welcome) return send(response, 404, {}, "There is no such repository.\n");
      send(response, 401, { "www-authenticate": 'Basic realm="rhumbatron"' }, "A Run token is required.\n");
    });
  });
}

async function isWelcome(request: IncomingMessage, verifier: ServiceTokenVerifier): Promise<boolean> {
  const encoded = /^basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (encoded === undefined) return false;
  const credentials = Buffer.from(encoded, "base64").toString("latin1");
  const token = credentials.slice(credentials.indexOf(":") + 1);
  return (await verifier.verify("rhumbatron:git", token)) !== null;
}

/** The body of the request is not read: the connection ends with the answer. */
function send(response: ServerResponse, status: number, headers: Record<string, string>, text: string): void {
  response.writeHead(status, {
    ...headers,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(text);
}

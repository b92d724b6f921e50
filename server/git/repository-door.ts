import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ServiceTokenVerifier } from "../platform/service-token";
import { findVisitor, isPermitted } from "./door-access";
import { parseSmartRequest } from "./repository-paths";
import { answerSmartRequest, sendText, sendUnauthorized, type DoorDeps } from "./smart-http";

const headersMs = 10_000;

/**
 * The port that agents and, through web, people reach. Whoever has no valid token gets one and the same answer on every path
 * and method, so nothing can be learned about which repositories there are; a token that is for something else gets that
 * answer too. With a valid one, what is no repository is not found.
 */
export function createRepositoryDoor(deps: DoorDeps & { verifier: ServiceTokenVerifier }): Server {
  const server = createServer((request, response) => {
    answer(request, response, deps).catch((error: unknown) => {
      deps.logger.error({ err: error }, "a request on a repository failed");
      if (response.headersSent) response.destroy();
      else sendText(response, 500, "This failed inside the git service.\n");
    });
  });
  server.headersTimeout = headersMs;
  server.requestTimeout = deps.limits.requestMs;
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  deps: DoorDeps & { verifier: ServiceTokenVerifier },
): Promise<void> {
  const visitor = await findVisitor(request.headers.authorization, deps);
  if (visitor === null) return sendUnauthorized(response);
  const smart = parseSmartRequest(request.method, request.url ?? "");
  if (smart === null) return sendText(response, 404, "There is no such repository.\n");
  if (!isPermitted(visitor, smart)) return sendUnauthorized(response);
  const directory = deps.places.repository(smart.repository);
  await answerSmartRequest({ request, response, smart, visitor, directory }, deps);
}

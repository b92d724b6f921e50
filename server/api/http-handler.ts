import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { parseBearer } from "../access/rules";
import { DomainError } from "../platform/errors";
import type { ApiDeps } from "./context";
import { appRouter } from "./root";

/** Where the API lives below the dashboard's address. */
export const apiPath = "/api/trpc";

/** A file tool writes at most 10 MiB, which is 14 MiB in base64; anything larger is cut off while it is read. */
export const bodyBytesMax = 16 * 1024 * 1024;

/** Answers one HTTP request to the API. Who calls is decided here, from the bearer token, on every request anew. */
export async function handleApiRequest(request: Request, deps: ApiDeps): Promise<Response> {
  return fetchRequestHandler({
    endpoint: apiPath,
    req: limitBody(request),
    router: appRouter,
    createContext: async ({ req }) => {
      const token = parseBearer(req.headers.get("authorization"));
      return { deps, caller: token === null ? null : await deps.access.findCaller(token) };
    },
  });
}

function limitBody(request: Request): Request {
  if (request.body === null) return request;
  let byteCount = 0;
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      byteCount += chunk.byteLength;
      if (byteCount > bodyBytesMax) {
        controller.error(
          new DomainError("limit.size", `A request's body holds at most ${bodyBytesMax} bytes.`),
        );
      } else controller.enqueue(chunk);
    },
  });
  const init: RequestInit & { duplex: "half" } = { body: request.body.pipeThrough(limiter), duplex: "half" };
  return new Request(request, init);
}

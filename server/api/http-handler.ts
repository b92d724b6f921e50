import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { DomainError } from "../platform/errors";
import type { ApiContext, ApiDeps } from "./context";
import { mayUseCookie, nobody, resolveCaller } from "./resolve-caller";
import { toTrpcError } from "./to-trpc-error";
import { appRouter } from "./root";

/** Where the API lives below the dashboard's address. */
export const apiPath = "/api/trpc";

/** A file tool writes at most 10 MiB, which is 14 MiB in base64; anything larger is cut off while it is read. */
export const bodyBytesMax = 16 * 1024 * 1024;

/** Calls in one request. Everybody may ask for the health of all parts, and an address has room for a thousand of that. */
const batchMax = 100;

/** Answers one HTTP request to the API. Who calls is decided here, on every request anew. */
export async function handleApiRequest(request: Request, deps: ApiDeps): Promise<Response> {
  return fetchRequestHandler({
    endpoint: apiPath,
    req: limitBody(request),
    router: appRouter,
    maxBatchSize: batchMax,
    createContext: ({ req, resHeaders }) => createHttpContext(req, resHeaders, deps),
  });
}

async function createHttpContext(
  request: Request,
  answerHeaders: Headers,
  deps: ApiDeps,
): Promise<ApiContext> {
  const isToken = request.headers.has("authorization");
  if (!isToken && !mayUseCookie(request, deps.settings.publicUrl)) {
    return { deps, ...nobody, browser: null };
  }
  const browser = {
    headers: request.headers,
    setCookies: (cookies: readonly string[]) => {
      for (const cookie of cookies) answerHeaders.append("set-cookie", cookie);
    },
  };
  try {
    const identity = await resolveCaller(request.headers, deps);
    return { deps, ...identity, browser: isToken ? null : browser };
  } catch (error) {
    throw toTrpcError(error, deps);
  }
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

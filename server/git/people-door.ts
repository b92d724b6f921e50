import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Caller } from "../access/types";
import { DomainError } from "../platform/errors";
import type { ServiceTokenSigner } from "../platform/service-token";
import { callHttp } from "./http-call";
import { parseSmartRequest, type SmartRequest } from "./repository-paths";
import type { PeopleClaims } from "./run-token";

/** Where people's git finds repositories, below the dashboard's address. */
export const peopleGitPath = "/git";

/** Long enough for the request to reach the git service, which then serves it as long as it takes. */
const peopleTokenSeconds = 60;

export interface PeopleDoorDeps {
  /** The git service's port for repositories. */
  doorUrl: string;
  signer: ServiceTokenSigner;
  /** Asked on every request anew. */
  findCaller: (token: string) => Promise<Caller | null>;
}

/** The address at which people clone the canonical repository of a Project. */
export function cloneUrlOf(publicUrl: string, projectId: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${peopleGitPath}/${projectId}.git`;
}

/**
 * Serves canonical repositories to people's git: reviewers and admins fetch, admins push. The password of the basic credentials
 * is a token, checked here on every request; the git service gets a short word of web's own instead of it. Both bodies stream.
 * An agent's token is refused like a wrong one: agents reach a repository only through their workspace.
 */
export async function answerPeopleGit(request: Request, deps: PeopleDoorDeps): Promise<Response> {
  const token = passwordOf(request.headers.get("authorization"));
  const caller = token === null ? null : await findCaller(token, deps);
  if (caller instanceof DomainError) return text(caller.httpStatus, `${caller.message}\n`);
  if (caller === null || caller.role === "agent") return unauthorized();
  const { pathname, search } = new URL(request.url);
  const target = pathname.startsWith(`${peopleGitPath}/`)
    ? pathname.slice(peopleGitPath.length) + search
    : "";
  const smart = parseSmartRequest(request.method, target);
  if (smart === null || smart.repository.forkName !== null) return notFound();
  if (smart.service === "git-receive-pack" && caller.role !== "admin")
    return text(403, "Only an admin may push to a canonical repository.\n");
  return forward(request, { smart, target }, deps);
}

async function findCaller(token: string, deps: PeopleDoorDeps): Promise<Caller | DomainError | null> {
  try {
    return await deps.findCaller(token);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

async function forward(
  request: Request,
  { smart, target }: { smart: SmartRequest; target: string },
  deps: PeopleDoorDeps,
): Promise<Response> {
  const claims: PeopleClaims = {
    use: "people",
    projectId: smart.repository.projectId,
    right: smart.service === "git-receive-pack" ? "write" : "read",
  };
  const word = await deps.signer.sign("rhumbatron:git", { ...claims }, peopleTokenSeconds);
  const headers: Record<string, string> = { authorization: `Bearer ${word}` };
  for (const name of ["content-type", "content-encoding", "accept"]) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const answer = await callHttp(new URL(`${deps.doorUrl.replace(/\/+$/, "")}${target}`), {
    method: request.method,
    headers,
    body: request.body === null ? null : Readable.fromWeb(request.body as unknown as WebStream),
    signal: request.signal,
  }).catch(() => null);
  if (answer === null) return text(503, "The git service does not answer.\n");
  if (answer.statusCode === 401) {
    answer.destroy();
    return text(502, "The git service did not believe the dashboard.\n");
  }
  return new Response(Readable.toWeb(answer) as unknown as ReadableStream, {
    status: answer.statusCode ?? 502,
    headers: {
      "content-type": answer.headers["content-type"] ?? "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** The password of basic credentials, where it has the form of a token. */
function passwordOf(header: string | null): string | null {
  const encoded = /^basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, "base64").toString("latin1");
  return /^[^:]*:(rhb_[A-Za-z0-9_-]{43})$/.exec(pair)?.[1] ?? null;
}

function unauthorized(): Response {
  const answer = text(
    401,
    "Give any user name, and as the password a token (rhb_...) of an admin or a reviewer that is valid now. An agent's token opens no canonical repository.\n",
  );
  answer.headers.set("www-authenticate", 'Basic realm="Rhumbatron"');
  return answer;
}

function notFound(): Response {
  return text(404, "There is no such repository.\n");
}

function text(status: number, body: string): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

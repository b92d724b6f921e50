import type { IncomingMessage } from "node:http";
import type { Clock } from "../platform/clock";
import { DomainError, describeError, fromErrorBody } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { ServiceTokenSigner } from "../platform/service-token";
import { callHttp, readAnswer } from "./http-call";
import { runTokenSeconds, type RunClaims } from "./run-token";
import { pushInput, type ControlCall } from "./schema";
import type { ForkName, GitService, RunToken } from "./types";

/** A call is used at once or never; the clock of a container is its host's. */
const callTokenSeconds = 30;
const callMs = 120_000;
/** How long a download may take, to its last byte. */
const downloadMs = 900_000;

/** Speaks to the git service's control port at `baseUrl`. It alone can sign what the service believes. */
export function createGitClient(deps: {
  baseUrl: string;
  signer: ServiceTokenSigner;
  clock: Clock;
  ids: Ids;
}): GitService {
  const { baseUrl, signer, clock, ids } = deps;
  const control = (): Promise<string> => signer.sign("rhumbatron:git", { use: "control" }, callTokenSeconds);
  const call = async <Result>(name: ControlCall, input: unknown): Promise<Result> =>
    (await post(new URL(`/${name}`, baseUrl), await control(), input)) as Result;
  const mint = async (fork: ForkName & { runId: string }, grant: RunClaims["grant"]): Promise<RunToken> => {
    const jti = ids.uuid();
    const { projectId, forkName, runId } = fork;
    const claims: RunClaims = { use: "run", jti, projectId, forkName, runId, grant };
    const expiresAt = new Date(clock.now().getTime() + runTokenSeconds * 1000).toISOString();
    const token = await signer.sign("rhumbatron:git", { ...claims }, runTokenSeconds);
    await call("registerGrant", { projectId, forkName, jti, expiresAt });
    return { token, expiresAt };
  };
  return {
    createRepository: (input) => call("createRepository", input),
    importRepository: (input) => call("importRepository", input),
    importStatus: (input) => call("importStatus", input),
    getHead: (input) => call("getHead", input),
    getBranch: (input) => call("getBranch", input),
    getCommit: (input) => call("getCommit", input),
    createFork: (input) => call("createFork", input),
    getForkHead: (input) => call("getForkHead", input),
    removeFork: (input) => call("removeFork", input),
    keepCommit: (input) => call("keepCommit", input),
    mintFetchToken: (fork) => mint(fork, { right: "fetch" }),
    mintPushToken: (input) => {
      const parsed = pushInput.safeParse(input);
      if (!parsed.success)
        throw new DomainError("input.invalid", "A push token names the fork's own ref and two commits.");
      const { ref, oldCommit, newCommit } = parsed.data;
      return mint(input, { right: "push", ref, oldCommit, newCommit });
    },
    revokeGrants: (input) => call("revokeGrants", input),
    diffFiles: (input) => call("diffFiles", input),
    diffPatch: (input) => call("diffPatch", input),
    diffPatches: (input) => call("diffPatches", input),
    diffStats: (input) => call("diffStats", input),
    readSide: (input) => call("readSide", input),
    openSide: async (input) => {
      const answer = await send(new URL("/openSide", baseUrl), await control(), input, downloadMs);
      if (answer.statusCode !== 200) throw fromErrorBody(await readJson(answer));
      return { sizeBytes: Number(answer.headers["content-length"]), bytes: answer };
    },
    listCommits: (input) => call("listCommits", input),
    listBranches: (input) => call("listBranches", input),
    seedRepository: (input) => call("seedRepository", input),
    testMerge: (input) => call("testMerge", input),
    merge: (input) => call("merge", input),
  };
}

async function post(url: URL, bearer: string, input: unknown): Promise<unknown> {
  const answer = await send(url, bearer, input);
  const body = await readJson(answer);
  if (answer.statusCode !== 200) throw fromErrorBody(body);
  return (body as { result: unknown }).result;
}

function send(url: URL, bearer: string, input: unknown, timeoutMs = callMs): Promise<IncomingMessage> {
  return callHttp(url, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(unavailable);
}

async function readJson(answer: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await readAnswer(answer)) as unknown;
  } catch (error) {
    return unavailable(error);
  }
}

function unavailable(error: unknown): never {
  throw new DomainError(
    "git.unavailable",
    "The git service does not answer.",
    { reason: describeError(error) },
    { cause: error },
  );
}

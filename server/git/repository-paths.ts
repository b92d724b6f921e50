const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** A repository as it is served: the canonical one of a Project, or one of its forks. */
export interface RepositoryName {
  projectId: string;
  /** Null for the canonical repository. */
  forkName: string | null;
}

export type GitServiceName = "git-upload-pack" | "git-receive-pack";

/** What a request on a smart HTTP path asks for. */
export interface SmartRequest {
  repository: RepositoryName;
  service: GitServiceName;
  /** `advertise` is the GET that comes first, `serve` the POST. */
  step: "advertise" | "serve";
}

const target = new RegExp(
  `^/(${uuid})(?:/(ws-${uuid}))?\\.git/(?:(info/refs)\\?service=(git-upload-pack|git-receive-pack)|(git-upload-pack|git-receive-pack))$`,
);

/** The name of a Run's fork. */
export function forkNameOf(runId: string): string {
  return `ws-${runId}`;
}

/** Where the git service serves a fork, below its address; a Sandbox reaches it as `http://git:8080` and this. */
export function forkPath(fork: { projectId: string; forkName: string }): string {
  return `/${fork.projectId}/${fork.forkName}.git`;
}

/**
 * Reads method and request target of the smart protocol, or gives null. Nothing is decoded or put together: a target that is
 * not exactly one of the six forms names no repository, so no spelling of a path leads anywhere else.
 */
export function parseSmartRequest(method: string | undefined, requestTarget: string): SmartRequest | null {
  const match = target.exec(requestTarget);
  if (match === null) return null;
  const [, projectId = "", forkName, advertisement, advertised, served] = match;
  const step = advertisement === undefined ? "serve" : "advertise";
  if (method !== (step === "advertise" ? "GET" : "POST")) return null;
  const service = (advertised ?? served) as GitServiceName;
  return { repository: { projectId, forkName: forkName ?? null }, service, step };
}

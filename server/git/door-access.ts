import type { ServiceTokenVerifier } from "../platform/service-token";
import type { Grants } from "./grants";
import type { SmartRequest } from "./repository-paths";
import { readPeopleClaims, readRunClaims, type PeopleClaims, type RunClaims } from "./run-token";

/** Who stands at the door, after signature, expiry and grant were checked just now. */
export type Visitor = { kind: "run"; claims: RunClaims } | { kind: "people"; claims: PeopleClaims };

/**
 * Reads the Authorization header: a Run's token is the password of basic credentials, a person's word from web a bearer token.
 * Null for everything else, without a hint at what was wrong. Nothing is remembered between two requests.
 */
export async function findVisitor(
  authorization: string | undefined,
  deps: { verifier: ServiceTokenVerifier; grants: Grants },
): Promise<Visitor | null> {
  const match = /^(basic|bearer) (\S+)$/i.exec(authorization ?? "");
  if (match === null) return null;
  const [, scheme = "", credentials = ""] = match;
  if (scheme.toLowerCase() === "bearer") {
    const claims = readPeopleClaims(await deps.verifier.verify("rhumbatron:git", credentials));
    return claims === null ? null : { kind: "people", claims };
  }
  const pair = Buffer.from(credentials, "base64").toString("latin1");
  const token = pair.slice(pair.indexOf(":") + 1);
  const claims = readRunClaims(await deps.verifier.verify("rhumbatron:git", token));
  return claims !== null && (await deps.grants.isLive(claims)) ? { kind: "run", claims } : null;
}

/** Whether the visitor may do this here: a Run one thing on its own fork, a person what web said on the canonical repository. */
export function isPermitted(visitor: Visitor, { repository, service }: SmartRequest): boolean {
  const { claims } = visitor;
  if (claims.projectId !== repository.projectId) return false;
  if (visitor.kind === "run") {
    const right = visitor.claims.grant.right === "fetch" ? "git-upload-pack" : "git-receive-pack";
    return visitor.claims.forkName === repository.forkName && right === service;
  }
  return repository.forkName === null && (service === "git-upload-pack" || visitor.claims.right === "write");
}

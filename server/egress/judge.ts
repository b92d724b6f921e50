import type { PolicyInForce } from "./policy";
import { headerValues, type RequestHead } from "./request-head";
import { parseAbsoluteUri, parseAuthority, type PlainTarget, type Target } from "./target";
import type { HostName, RefusalReason } from "./types";

/** A refusal with everything that its text and its decision need. `status` is 400 for what is no clean proxy request. */
export interface Refusal {
  verdict: "refused";
  reason: RefusalReason;
  status: 400 | 403;
  detail: string;
  sandboxId: string | null;
  host: HostName | null;
  port: number | null;
}

/** What may be dialled, once its addresses have been looked at too. `path` is null for a tunnel. */
export interface Permission {
  verdict: "allowed";
  sandboxId: string;
  host: HostName;
  port: number;
  path: string | null;
  policy: PolicyInForce;
}

/**
 * Decides on one request from its head, its source and the policy, before any name is resolved or any socket opened.
 * Without a policy, or for a source that is nobody's, everything is refused.
 */
export function judgeRequest(input: {
  policy: PolicyInForce | null;
  source: string;
  head: RequestHead;
}): Permission | Refusal {
  const { policy, source, head } = input;
  const target = readTarget(head);
  const host = target?.host ?? null;
  const port = target?.port ?? null;
  const refuse = (reason: RefusalReason, detail: string, sandboxId: string | null = null): Refusal => ({
    verdict: "refused",
    reason,
    status: reason === "request_malformed" ? 400 : 403,
    detail,
    sandboxId,
    host,
    port,
  });

  if (target === null) {
    return refuse(
      "request_malformed",
      "this is a proxy: send CONNECT host:443, or http:// addresses in full",
    );
  }
  const fault = findFault(head, target);
  if (fault !== null) return refuse("request_malformed", fault);
  if (policy === null) return refuse("no_policy", "no allowlist has arrived yet, so everything is refused");
  const sandboxId = policy.sandboxOf(source);
  if (sandboxId === null) {
    return refuse("source_unknown", `the address ${source} belongs to no Sandbox that this proxy knows of`);
  }
  if (!target.ok) return refuse(target.reason, target.detail, sandboxId);
  const portAllowed = head.method === "CONNECT" ? 443 : 80;
  if (target.port !== portAllowed) {
    const form = head.method === "CONNECT" ? "CONNECT" : "plain HTTP";
    return refuse("port", `${form} is for port ${portAllowed} only`, sandboxId);
  }
  if (!policy.isAllowed(target.host)) return refuse("name", "the host is not on the allowlist", sandboxId);
  if (head.method !== "CONNECT" && headerValues(head.headers, "upgrade").length > 0) {
    return refuse(
      "upgrade",
      "a plain request cannot become another protocol; use https:// or wss://",
      sandboxId,
    );
  }
  const path = "path" in target ? target.path : null;
  return { verdict: "allowed", sandboxId, host: target.host, port: target.port, path, policy };
}

/** Null for what is not addressed to a proxy at all: `GET /path`, `OPTIONS *`. */
function readTarget(head: RequestHead): Target | PlainTarget | null {
  if (head.method === "CONNECT") return parseAuthority(head.target, null);
  return /^[a-z][a-z0-9+.-]*:/i.test(head.target) ? parseAbsoluteUri(head.target) : null;
}

function findFault(head: RequestHead, target: Target): string | null {
  const hosts = headerValues(head.headers, "host");
  if (head.method === "CONNECT") {
    if (head.body.kind !== "none") return "CONNECT has no body";
    return hosts.length > 1 ? "there is more than one Host header" : null;
  }
  if (!target.ok) return null;
  const named = parseAuthority(hosts[0] ?? "", 80);
  const isSame = hosts.length === 1 && named.ok && named.host === target.host && named.port === target.port;
  return isSame ? null : "the Host header does not name the host of the address";
}

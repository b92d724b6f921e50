import type { Branded } from "../platform/types";

/** A host name in its one canonical form: lower case, ASCII, no final dot, never an IP address. Made by `parseHostName` only. */
export type HostName = Branded<string, "HostName">;

/** Why a request was refused. The first that applies is given, in this order. */
export const refusalReasons = [
  /** Too many connections at once. */
  "limit",
  /** Not a proxy request that has exactly one meaning. */
  "request_malformed",
  /** No policy has ever arrived. */
  "no_policy",
  /** The source address belongs to no Sandbox, or to more than one. */
  "source_unknown",
  /** The target is neither a host name nor an address. */
  "target_malformed",
  /** The target is an IP address, in whatever notation. */
  "address_literal",
  /** CONNECT to another port than 443, plain HTTP to another than 80. */
  "port",
  /** The name is not on the allowlist. */
  "name",
  /** A plain request that asks to become another protocol. */
  "upgrade",
  /** The name resolves to an address that nobody in a Sandbox may reach. */
  "address",
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** Why an allowed request came to nothing. */
export type FailureReason = "resolve_failed" | "connect_failed" | "connect_timed_out";

/** What a connection moved, known when it is over. */
export interface DecisionEnd {
  bytesUp: number;
  bytesDown: number;
  durationMs: number;
}

/** What was decided on one request. `seq` counts from 1 since this process started and has no gaps. */
export interface Decision {
  seq: number;
  /** ISO 8601, UTC. */
  at: string;
  sandboxId: string | null;
  source: string;
  /** Canonical; null when the target could not be read. */
  host: string | null;
  port: number | null;
  method: string | null;
  verdict: "allowed" | "refused" | "failed";
  reason: RefusalReason | FailureReason | null;
  /** The user name of the proxy credentials: the Run by its own account. It grants nothing. */
  proxyUser: string | null;
  /** Null while the connection lives, and for what was never allowed. */
  end: DecisionEnd | null;
}

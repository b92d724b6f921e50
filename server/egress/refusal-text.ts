import type { Refusal } from "./judge";
import type { FailureReason, HostName } from "./types";

/** An answer of the proxy itself: a status line and a text that an agent can act on. */
export interface OwnAnswer {
  status: number;
  /** One line, printed by clients that show the status line and not the body. */
  phrase: string;
  text: string;
}

/**
 * Says what was refused, why, and what can be done, and names no other host of the allowlist. A target that could not be
 * read is not repeated.
 */
export function refusalAnswer(
  refusal: Pick<Refusal, "reason" | "status" | "detail" | "host" | "port">,
): OwnAnswer {
  const target = nameOf(refusal.host, refusal.port);
  const phrase = `egress.denied: ${target}: ${refusal.detail}`;
  return { status: refusal.status, phrase, text: `${phrase}.\n${adviceOn(refusal)}\n` };
}

/** Says that an allowed host could not be reached; asking again later may help. */
export function failureAnswer(reason: FailureReason, host: HostName, port: number): OwnAnswer {
  const target = nameOf(host, port);
  const [status, what]: [number, string] = {
    resolve_failed: [502, "the name could not be resolved"] as [number, string],
    connect_failed: [502, "no connection could be made"] as [number, string],
    connect_timed_out: [504, "no connection was made in time"] as [number, string],
  }[reason];
  const phrase = `egress.unreachable: ${target}: ${what}`;
  return {
    status,
    phrase,
    text: `${phrase}.\nThe host is on the allowlist; the fault lies with the host or the network. Try again later.\n`,
  };
}

function nameOf(host: HostName | null, port: number | null): string {
  if (host === null) return "the target";
  return port === null ? host : `${host}:${port}`;
}

function adviceOn(refusal: Pick<Refusal, "reason" | "host">): string {
  switch (refusal.reason) {
    case "name":
      return `An admin can add ${refusal.host ?? "the host"} to the allowlist. Until then, do without it.`;
    case "address":
      return "The host is on the allowlist, and an admin can name the one address of it that may be reached.";
    case "no_policy":
    case "source_unknown":
      return "This does not depend on the host. Try again in a moment; if it stays so, an admin has to look at it.";
    case "limit":
      return "Open fewer connections at once, or try again in a moment.";
    case "address_literal":
    case "target_malformed":
    case "port":
    case "upgrade":
    case "request_malformed":
      return "Trying again does not help; only host names that an admin has put on the allowlist can be reached, by https:// on port 443 and http:// on port 80.";
  }
}

import type { Refusal } from "./egress-list";

/** Why it was refused, in words for an admin. */
export const refusalWords: Record<Refusal["reason"], string> = {
  name: "not on the allowlist",
  port: "another port than 443 for https:// and 80 for http://",
  address: "the name leads to an address that sandboxes may not reach",
  address_literal: "an IP address instead of a name",
  limit: "too many connections at once",
  no_policy: "egress had no allowlist yet",
  source_unknown: "egress did not know the Sandbox yet",
  request_malformed: "not a clean request to a proxy",
  target_malformed: "the target could not be read",
  upgrade: "a plain request that asked for another protocol",
};

/** The host that an admin may add because of a refusal; null when adding it would change nothing. */
export function hostToAllow(
  refusal: Pick<Refusal, "host" | "reason">,
  allowed: readonly string[],
): string | null {
  const { host, reason } = refusal;
  if (reason !== "name" || host === null || isCovered(host, allowed)) return null;
  return host;
}

/** Whether an entry names the host, or a name above it with `*.`. */
export function isCovered(host: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => (entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry));
}

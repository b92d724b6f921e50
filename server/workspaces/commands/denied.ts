import type { RunRefusals } from "../../egress/refusals";

/** Enough to see what is wrong; a program that tries thousands of hosts does not fill its own output with it. */
const linesMax = 20;
const hostsShown = 8;

/**
 * What egress refused while a command ran, a line for each target, as it is added to the command's stderr: tools such as
 * `bun install` show the status of a refusal and not its text. Empty when nothing was refused.
 */
export function deniedText({ refused, allowed }: RunRefusals): string {
  const lines = refused.slice(0, linesMax).map((one) => `egress.denied: ${sentenceOn(one, allowed)}\n`);
  const moreCount = refused.length - lines.length;
  const more = moreCount > 0 ? `egress.denied: and ${moreCount} other targets\n` : "";
  return lines.join("") + more;
}

function sentenceOn(
  { host, port, reason }: RunRefusals["refused"][number],
  allowed: readonly string[],
): string {
  const target = host === null ? "a target that is no host name" : port === null ? host : `${host}:${port}`;
  switch (reason) {
    case "name":
      return `${target} is not on the allowlist (${hostsOf(allowed)}); an admin can add it under Settings, Egress`;
    case "address":
      return `${target} is on the allowlist, but resolves to an address that sandboxes may not reach`;
    case "port":
      return `${target} was refused: only https:// on port 443 and http:// on port 80 are let through`;
    case "address_literal":
      return "an IP address was asked for; only host names on the allowlist can be reached";
    case "limit":
      return `${target} was refused: too many connections were open at once`;
    case "no_policy":
    case "source_unknown":
      return `${target} was refused, whatever the host: egress did not know this Sandbox yet; try again`;
    case "request_malformed":
    case "target_malformed":
    case "upgrade":
      return `${target} was refused: it was not a request that the proxy can pass on`;
  }
}

function hostsOf(allowed: readonly string[]): string {
  if (allowed.length === 0) return "which is empty";
  const moreCount = allowed.length - hostsShown;
  return allowed.slice(0, hostsShown).join(", ") + (moreCount > 0 ? ` and ${moreCount} more` : "");
}

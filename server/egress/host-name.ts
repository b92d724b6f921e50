import type { HostName } from "./types";

const namePattern = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const nameCharsMax = 253;

/** Reads ASCII only, so that no other character can become a letter of a name by being lower-cased. */
const asciiPattern = /^[\x21-\x7e]+$/;

/**
 * Gives the one canonical form of a host name, or null for everything else: addresses in any notation, an empty
 * label, two final dots, any character outside ASCII. `Registry.Example.` is `registry.example`.
 */
export function parseHostName(text: string): HostName | null {
  if (!asciiPattern.test(text)) return null;
  const name = (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
  if (name.length > nameCharsMax || !namePattern.test(name) || endsInNumber(name)) return null;
  return name as HostName;
}

/**
 * True when a resolver or a URL parser would read the text as an IPv4 address: its last label is a decimal, octal or
 * hexadecimal number (`127.1`, `0x7f.1`, `2130706433`, `017700000001`). Source: WHATWG URL, "ends in a number".
 */
export function endsInNumber(text: string): boolean {
  const labels = text.replace(/\.$/, "").split(".");
  return /^(?:[0-9]+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? "");
}

/**
 * One entry of the allowlist: a name, or `*.name` for every name below it and not the name itself.
 * Null when the text is neither; `*` and `*.` alone are not entries.
 */
export function parseHostPattern(text: string): string | null {
  const isWildcard = text.startsWith("*.");
  const name = parseHostName(isWildcard ? text.slice(2) : text);
  if (name === null) return null;
  return isWildcard ? `*.${name}` : name;
}

/** Matches whole labels: `*.example.com` takes in `a.b.example.com`, and neither `example.com` nor `badexample.com`. */
export function isHostMatching(host: HostName, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

import { endsInNumber, parseHostName } from "./host-name";
import type { HostName, RefusalReason } from "./types";

/** Where a request wants to go. `host` and `port` of a fault are null where they could not be read. */
export type Target =
  | { ok: true; host: HostName; port: number }
  | { ok: false; reason: RefusalReason; detail: string; host: HostName | null; port: number | null };

/** The target of a plain request; `path` is what the upstream is asked for. */
export type PlainTarget = (Target & { ok: true; path: string }) | (Target & { ok: false });

/**
 * Reads `host:port`; without a default the port must be written. An IP address is a fault in every notation, and so is
 * anything that two readers could understand differently: user names, brackets, two ports, leading zeros.
 */
export function parseAuthority(text: string, defaultPort: number | null): Target {
  if (text.includes("@")) return malformed("a user name does not belong into the target");
  if (text.startsWith("[") || /:.*:/.test(text)) {
    return isIpv6Like(text) ? literal() : malformed("the target is not a host name and one port");
  }
  const colon = text.indexOf(":");
  const hostText = colon === -1 ? text : text.slice(0, colon);
  const portText = colon === -1 ? null : text.slice(colon + 1);
  if (endsInNumber(hostText)) return literal();
  const host = parseHostName(hostText);
  if (host === null) return malformed("the target is not a host name");
  const port = portText === null ? defaultPort : parsePort(portText);
  if (port === null)
    return { ok: false, reason: "port", detail: "no usable port is named", host, port: null };
  return { ok: true, host, port };
}

/** Reads the absolute form of a plain proxy request, `http://host[:port]/path`, without normalising any of it. */
export function parseAbsoluteUri(text: string): PlainTarget {
  const match = /^http:\/\/([^/?#\\]*)([/?][^#]*)?$/i.exec(text);
  if (match === null) return malformed("plain requests are for http:// addresses; use CONNECT for https://");
  const authority = parseAuthority(match[1] ?? "", 80);
  if (!authority.ok) return authority;
  const path = match[2] ?? "/";
  return { ...authority, path: path.startsWith("/") ? path : `/${path}` };
}

function parsePort(text: string): number | null {
  return /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

function isIpv6Like(text: string): boolean {
  return text.startsWith("[") ? /^\[[^\]]*:/.test(text) : /^[0-9a-f.]*:[0-9a-f:.]*(?:%.*)?$/i.test(text);
}

function malformed(detail: string): Target & { ok: false } {
  return { ok: false, reason: "target_malformed", detail, host: null, port: null };
}

function literal(): Target & { ok: false } {
  return {
    ok: false,
    reason: "address_literal",
    detail: "IP addresses are refused in every notation; ask for a host name",
    host: null,
    port: null,
  };
}

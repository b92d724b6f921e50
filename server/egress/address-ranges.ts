import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

type Range = readonly [name: string, cidr: string];

/** Documentation ranges are left out on purpose: nobody's machine has them by accident, and a registry may. */
const refusedIpv4: readonly Range[] = [
  ["unspecified", "0.0.0.0/8"],
  ["private", "10.0.0.0/8"],
  ["carrier-grade NAT", "100.64.0.0/10"],
  ["loopback", "127.0.0.0/8"],
  ["link-local", "169.254.0.0/16"],
  ["private", "172.16.0.0/12"],
  ["protocol assignments", "192.0.0.0/24"],
  ["private", "192.168.0.0/16"],
  ["multicast", "224.0.0.0/4"],
  ["reserved or broadcast", "240.0.0.0/4"],
];

/** Names for what lies outside the global range, and the parts of it that carry an IPv4 address inside. */
const refusedIpv6: readonly Range[] = [
  ["unspecified", "::/128"],
  ["loopback", "::1/128"],
  ["IPv4-mapped", "::ffff:0:0/96"],
  ["IPv4-compatible", "::/96"],
  ["NAT64", "64:ff9b::/96"],
  ["NAT64", "64:ff9b:1::/48"],
  ["unique local", "fc00::/7"],
  ["link-local", "fe80::/10"],
  ["site-local", "fec0::/10"],
  ["multicast", "ff00::/8"],
  ["Teredo", "2001::/32"],
  ["6to4", "2002::/16"],
];
const globalIpv6 = "2000::/3";

/**
 * Names the range for which an address is refused to every Sandbox, or gives null for one that may be dialled.
 * What is not an address, has a zone, or is IPv6 outside the global range is refused: the guard cannot decide.
 */
export function refusedRangeOf(address: string): string | null {
  if (isIP(address) === 0 || address.includes("%")) return "not an address";
  const parsed = ipaddr.parse(address);
  const ranges = parsed.kind() === "ipv4" ? refusedIpv4 : refusedIpv6;
  const refused = ranges.find(([, cidr]) => parsed.match(ipaddr.parseCIDR(cidr)));
  if (refused !== undefined) return refused[0];
  return parsed.kind() === "ipv6" && !parsed.match(ipaddr.parseCIDR(globalIpv6)) ? "not global" : null;
}

/** One spelling for each address, for comparing; IPv4 inside IPv6, as a socket may report a peer, becomes IPv4. */
export function canonicalAddress(text: string): string | null {
  return isIP(text) === 0 || text.includes("%") ? null : ipaddr.process(text).toString();
}

/** True when the canonical address lies in the CIDR; never across families. */
export function isAddressIn(address: string, cidr: string): boolean {
  const parsed = ipaddr.parse(address);
  const range = ipaddr.parseCIDR(cidr);
  return parsed.kind() === range[0].kind() && parsed.match(range);
}

/** True for `address/bits` in ordinary notation. */
export function isCidr(text: string): boolean {
  return isIP(text.split("/")[0] ?? "") !== 0 && ipaddr.isValidCIDR(text);
}

import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { parseSubnet, type Subnet } from "./network-spec";

/**
 * Lists the IPv4 ranges that this host has an address in or a route to, but for the default route. Where the routing
 * table cannot be read (not Linux), the addresses alone are given.
 */
export async function listHostSubnets(): Promise<Subnet[]> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map((one) => (one.cidr === null ? null : parseSubnet(one.cidr)));
  const routes = await readFile("/proc/net/route", "utf8").then(parseRoutes, () => []);
  return [...addresses, ...routes].filter((subnet) => subnet !== null);
}

/** Reads the kernel's table: little-endian hexadecimal, one route a line. */
export function parseRoutes(table: string): Subnet[] {
  const routes: Subnet[] = [];
  for (const line of table.split("\n").slice(1)) {
    const fields = line.trim().split(/\s+/);
    const destination = fields[1];
    const mask = fields[7];
    if (destination === undefined || mask === undefined) continue;
    const prefix = [...readHex(mask).toString(2)].filter((bit) => bit === "1").length;
    if (prefix > 0) routes.push({ base: readHex(destination), prefix });
  }
  return routes;
}

function readHex(text: string): number {
  const bytes = text.match(/../g) ?? [];
  return bytes.reduceRight((sum, byte) => sum * 256 + Number.parseInt(byte, 16), 0);
}

import type { NetworkInterfaceInfo } from "node:os";

/** The own address of a service on the ordinary network, and that network: the only side that may control it. */
export interface OrdinaryNetwork {
  address: string;
  cidr: string;
}

/**
 * Finds the network that a service container was started on, also when the engine attaches sandbox networks before a
 * restart: it is the one that the default route leads to, because a sandbox network has no gateway. One IPv4
 * interface alone needs no route. Null when that does not name exactly one: then nothing may be controlled.
 * Shape of `routeTable`: the text of `/proc/net/route`.
 */
export function findOrdinaryNetwork(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
  routeTable: string,
): OrdinaryNetwork | null {
  const candidates = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos
      .filter((info) => info.family === "IPv4" && !info.internal && info.cidr !== null)
      .map((info) => ({ name, address: info.address, cidr: info.cidr ?? "" })),
  );
  const defaultInterfaces = new Set(
    routeTable
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, destination, gateway]) => destination === "00000000" && gateway !== "00000000")
      .map(([name]) => name),
  );
  const chosen =
    candidates.length === 1 ? candidates : candidates.filter(({ name }) => defaultInterfaces.has(name));
  const [only, ...others] = chosen;
  return only === undefined || others.length > 0 ? null : { address: only.address, cidr: only.cidr };
}

import { lookup } from "node:dns/promises";

/** Gives every address of a name, IPv4 and IPv6, at least one. Rejects when there is none. */
export type ResolveName = (host: string) => Promise<string[]>;

/** Asks the system's resolver, as every other program of the machine would. */
export const resolveBySystem: ResolveName = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  if (found.length === 0) throw new Error("the name has no address");
  return found.map(({ address }) => address);
};

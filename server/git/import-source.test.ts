import { describe, expect, it } from "vitest";
import { parseImportSource, permitDial, type DialResult } from "./import-source";

const names: Record<string, string[]> = {
  "public.test": ["198.51.100.20", "2001:db8::20"],
  "self.test": ["198.51.100.20", "203.0.113.7"],
  "self6.test": ["2001:db8::7"],
  "inside.test": ["10.1.2.3"],
  "named.test": ["203.0.113.7", "10.1.2.3"],
};

async function dial(url: string): Promise<DialResult> {
  const parsed = parseImportSource(url);
  if (parsed.status === "refused") throw new Error(parsed.detail);
  return permitDial(parsed.source, {
    resolve: (host) => Promise.resolve(names[host] ?? []),
    allowedHosts: ["named.test"],
    hostAddresses: ["203.0.113.7", "2001:db8:0:0::7"],
  });
}

/** A service that fetches what it is told to must not be turned on the machine that it runs on, nor on what stands beside it. */
describe("an import reaches no address of this machine and no private one", () => {
  it.each([
    ["http://self.test/x.git", "an address of this machine"],
    ["http://203.0.113.7/x.git", "an address of this machine"],
    ["http://0xcb007107/x.git", "an address of this machine"],
    ["http://self6.test/x.git", "an address of this machine"],
    ["http://[2001:db8::7]:8080/x.git", "an address of this machine"],
    ["http://[::ffff:203.0.113.7]/x.git", "a refused range"],
    ["http://inside.test/x.git", "a refused range"],
    ["http://127.1/x.git", "a refused range"],
    ["http://unknown.test/x.git", "could not be resolved"],
  ])("%s", async (url, words) => {
    const result = await dial(url);
    expect(result).toMatchObject({ status: "refused" });
    expect(JSON.stringify(result)).toContain(words);
  });

  it("others are dialled at exactly the addresses that were looked at; the operator may name a host", async () => {
    expect(await dial("https://public.test/x.git")).toEqual({
      status: "permitted",
      addresses: ["198.51.100.20", "2001:db8::20"],
    });
    expect(await dial("https://named.test/x.git")).toMatchObject({ status: "permitted" });
  });
});

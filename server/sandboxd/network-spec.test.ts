import { describe, expect, it } from "vitest";
import {
  formatSubnet,
  overlaps,
  parseSandboxSubnet,
  parseSubnet,
  sandboxSubnets,
  type Subnet,
} from "./network-spec";

const read = (text: string): Subnet => {
  const subnet = parseSubnet(text);
  if (subnet === null) throw new Error(`not a subnet: ${text}`);
  return subnet;
};

describe("subnets", () => {
  it("are the 4096 /28 of 10.231.0.0/16, in order and without a gap", () => {
    const all = [...sandboxSubnets()].map(formatSubnet);
    expect(all).toHaveLength(4096);
    expect(new Set(all).size).toBe(4096);
    expect([all[0], all[1], all.at(-1)]).toEqual(["10.231.0.0/28", "10.231.0.16/28", "10.231.255.240/28"]);
  });

  it.each([
    "10.231.0.1/28",
    "10.230.0.0/28",
    "10.232.0.0/28",
    "10.231.0.0/29",
    "010.231.0.0/28",
    "10.231.0.0",
    "::/28",
    "",
  ])("%s is none of a Sandbox", (text) => {
    expect(parseSandboxSubnet(text)).toBeNull();
  });

  it("overlap when they share an address", () => {
    expect(overlaps(read("10.231.0.0/28"), read("10.0.0.0/8"))).toBe(true);
    expect(overlaps(read("10.231.0.0/28"), read("10.231.0.9/32"))).toBe(true);
    expect(overlaps(read("10.231.0.0/28"), read("10.231.0.16/28"))).toBe(false);
    expect(overlaps(read("255.255.255.240/28"), read("0.0.0.0/0"))).toBe(true);
  });
});

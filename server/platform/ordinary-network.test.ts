import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { findOrdinaryNetwork } from "./ordinary-network";

const ipv4 = (address: string, bits: number, internal = false): NetworkInterfaceInfo => ({
  address,
  netmask: "",
  family: "IPv4",
  mac: "",
  internal,
  cidr: `${address}/${bits}`,
});
const lo = [ipv4("127.0.0.1", 8, true)];
const header = "Iface\tDestination\tGateway \tFlags\n";
const route = (name: string, destination: string, gateway: string): string =>
  `${name}\t${destination}\t${gateway}\t0003\n`;

it("the only interface is the ordinary network, with or without a route", () => {
  expect(findOrdinaryNetwork({ lo, eth0: [ipv4("172.18.0.2", 16)] }, header)).toEqual({
    address: "172.18.0.2",
    cidr: "172.18.0.2/16",
  });
});

it("after a restart with sandbox networks attached it is the one with the default route", () => {
  const interfaces = { lo, eth1: [ipv4("172.18.0.2", 16)], eth0: [ipv4("10.231.0.2", 28)] };
  const routes = header + route("eth0", "004DE70A", "00000000") + route("eth1", "00000000", "010012AC");
  expect(findOrdinaryNetwork(interfaces, routes)).toEqual({ address: "172.18.0.2", cidr: "172.18.0.2/16" });
});

it("none is chosen when it is not certain which", () => {
  const interfaces = { lo, eth1: [ipv4("172.18.0.2", 16)], eth0: [ipv4("10.231.0.2", 28)] };
  expect(findOrdinaryNetwork(interfaces, header)).toBeNull();
  const both = header + route("eth0", "00000000", "01") + route("eth1", "00000000", "010012AC");
  expect(findOrdinaryNetwork(interfaces, both)).toBeNull();
  expect(findOrdinaryNetwork({ lo }, header)).toBeNull();
});

import { describe, expect, it } from "vitest";
import { canonicalAddress, isAddressIn, refusedRangeOf } from "./address-ranges";

/** If one of these were let through, a name that an agent controls would reach the host, its neighbours or its cloud. */
describe("a resolved address is refused", () => {
  it.each([
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["100.127.255.255", "carrier-grade NAT"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "link-local"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.170", "protocol assignments"],
    ["192.168.1.1", "private"],
    ["224.0.0.251", "multicast"],
    ["255.255.255.255", "reserved or broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "IPv4-mapped"],
    ["::ffff:8.8.8.8", "IPv4-mapped"],
    ["0:0:0:0:0:ffff:7f00:1", "IPv4-mapped"],
    ["::7f00:1", "IPv4-compatible"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b:1::7f00:1", "NAT64"],
    ["fd00::1", "unique local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "not an address"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["2001:0:7f00:1::1", "Teredo"],
    ["2002:7f00:1::1", "6to4"],
    ["100::1", "not global"],
    ["4000::1", "not global"],
    ["registry.example", "not an address"],
    ["", "not an address"],
  ])("%s as %s", (address, range) => {
    expect(refusedRangeOf(address)).toBe(range);
  });
});

describe("a resolved address may be dialled", () => {
  it.each([
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.80",
    "2606:4700::1111",
    "2001:db8::1",
    "2001:1::1",
  ])("%s", (address) => {
    expect(refusedRangeOf(address)).toBeNull();
  });
});

describe("addresses are compared", () => {
  it("in one spelling", () => {
    expect(canonicalAddress("::ffff:10.0.0.4")).toBe("10.0.0.4");
    expect(canonicalAddress("FD00:0:0:0:0:0:0:1")).toBe("fd00::1");
    expect(canonicalAddress("fe80::1%eth0")).toBeNull();
    expect(canonicalAddress("127.1")).toBeNull();
  });

  it("with networks of their own family only", () => {
    expect(isAddressIn("10.0.0.4", "10.0.0.0/28")).toBe(true);
    expect(isAddressIn("10.0.0.17", "10.0.0.0/28")).toBe(false);
    expect(isAddressIn("fd00::1", "10.0.0.0/28")).toBe(false);
  });
});

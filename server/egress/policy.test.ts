import { describe, expect, it } from "vitest";
import { parseHostName } from "./host-name";
import { compilePolicy } from "./policy";
import { policySchema, type Policy } from "./schema";
import type { HostName } from "./types";

const first = "proj-11111111-1111-4111-8111-111111111111";
const second = "proj-22222222-2222-4222-8222-222222222222";
const base: Policy = {
  version: 3,
  allow: ["a.example", "*.b.example"],
  hostAddresses: ["198.51.100.7", "2001:db8::7"],
  pinned: { "a.example": "10.0.0.9", "*.b.example": "127.0.0.1" },
  sources: [
    { address: "10.231.0.2", sandboxId: first },
    { cidr: "10.231.0.16/28", sandboxId: second },
  ],
};

function host(text: string): HostName {
  const name = parseHostName(text);
  if (name === null) throw new Error(text);
  return name;
}

describe("a source", () => {
  it("is the one Sandbox whose address or network fits, also when the peer is reported as IPv4 inside IPv6", () => {
    const policy = compilePolicy(base);
    expect(policy.sandboxOf("10.231.0.2")).toBe(first);
    expect(policy.sandboxOf("::ffff:10.231.0.2")).toBe(first);
    expect(policy.sandboxOf("10.231.0.20")).toBe(second);
    expect(policy.sandboxOf("10.231.0.3")).toBeNull();
    expect(policy.sandboxOf("")).toBeNull();
  });

  it("that fits two Sandboxes is nobody's", () => {
    const policy = compilePolicy({
      ...base,
      sources: [...base.sources, { cidr: "10.231.0.0/24", sandboxId: second }],
    });
    expect(policy.sandboxOf("10.231.0.2")).toBeNull();
    expect(policy.sandboxOf("10.231.0.20")).toBe(second);
  });
});

describe("a resolved address", () => {
  const policy = compilePolicy(base);

  it("of the machine is refused, in every spelling", () => {
    expect(policy.refusedAddressOf(host("a.example"), "198.51.100.7")).toBe("an address of this machine");
    expect(policy.refusedAddressOf(host("a.example"), "2001:0db8:0:0:0:0:0:7")).toBe(
      "an address of this machine",
    );
    expect(policy.refusedAddressOf(host("a.example"), "198.51.100.8")).toBeNull();
  });

  it("is let through where it is pinned for this very entry, and for no other", () => {
    expect(policy.refusedAddressOf(host("a.example"), "10.0.0.9")).toBeNull();
    expect(policy.refusedAddressOf(host("a.example"), "10.0.0.8")).toBe("private");
    expect(policy.refusedAddressOf(host("x.b.example"), "10.0.0.9")).toBe("private");
    expect(policy.refusedAddressOf(host("x.b.example"), "127.0.0.1")).toBeNull();
  });
});

describe("a pushed policy is refused whole", () => {
  it.each([
    ["an unknown field", { ...base, extra: 1 }],
    [
      "an unknown field of a source",
      { ...base, sources: [{ address: "10.0.0.1", sandboxId: first, port: 1 }] },
    ],
    ["no version", { ...base, version: undefined }],
    ["a version of 0", { ...base, version: 0 }],
    ["an address on the allowlist", { ...base, allow: ["10.0.0.1"] }],
    ["everything on the allowlist", { ...base, allow: ["*"] }],
    ["a name as an address", { ...base, hostAddresses: ["localhost"] }],
    ["a pin to a name", { ...base, pinned: { "a.example": "b.example" } }],
    ["a pin that would never match", { ...base, pinned: { "A.example": "10.0.0.1" } }],
    ["something else than a sandbox ID", { ...base, sources: [{ address: "10.0.0.1", sandboxId: "x" }] }],
    ["a broken network", { ...base, sources: [{ cidr: "10.0.0.0/33", sandboxId: first }] }],
  ])("with %s", (_what, policy) => {
    expect(policySchema.safeParse(policy).success).toBe(false);
  });

  it("and the one of these tests is not", () => {
    expect(policySchema.parse(base)).toEqual(base);
  });
});

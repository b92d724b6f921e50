import { describe, expect, it } from "vitest";
import { endsInNumber, isHostMatching, parseHostName, parseHostPattern } from "./host-name";
import type { HostName } from "./types";

const name = (text: string): HostName => {
  const parsed = parseHostName(text);
  if (parsed === null) throw new Error(`${text} is no host name`);
  return parsed;
};

describe("a host name", () => {
  it.each([
    ["registry.example", "registry.example"],
    ["REGISTRY.Example.", "registry.example"],
    ["xn--e1afmkfd.example", "xn--e1afmkfd.example"],
    ["_dmarc.example", "_dmarc.example"],
    ["localhost", "localhost"],
  ])("%s has one canonical form", (text, canonical) => {
    expect(parseHostName(text)).toBe(canonical);
  });

  it.each([
    "",
    ".",
    "registry.example..",
    ".registry.example",
    "a..b",
    "registry.example ",
    " registry.example",
    "registry.exam\u0440le",
    "\u212aernel.org",
    "registry.example\0.evil.test",
    "registry.example/evil",
    "registry.example@evil.test",
    "[registry.example]",
    "registry.example:443",
    "-a.example",
    "a-.example",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(130)}example`,
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0X7F000001",
    "2130706433",
    "017700000001",
    "127.0.0.1.",
    "1.2.3.0x",
    "::1",
    "fe80::1%eth0",
  ])("%j is none", (text) => {
    expect(parseHostName(text)).toBeNull();
  });

  it("whose last label only begins with a digit is no address", () => {
    expect(endsInNumber("registry.3com")).toBe(false);
    expect(parseHostName("1.2.3.4.example")).toBe("1.2.3.4.example");
  });
});

describe("an entry of the allowlist", () => {
  it.each([
    ["registry.example", "registry.example", true],
    ["registry.example", "a.registry.example", false],
    ["registry.example", "evilregistry.example", false],
    ["registry.example", "registry.example.evil.test", false],
    ["*.example.com", "a.example.com", true],
    ["*.example.com", "a.b.example.com", true],
    ["*.example.com", "example.com", false],
    ["*.example.com", "badexample.com", false],
    ["*.example.com", "example.com.evil.test", false],
  ])("%s takes in %s: %s", (pattern, host, isMatching) => {
    expect(isHostMatching(name(host), pattern)).toBe(isMatching);
  });

  it("is canonical, and is neither everything nor an address", () => {
    expect(parseHostPattern("*.Example.COM.")).toBe("*.example.com");
    for (const text of ["*", "*.", "**.example", "a.*.example", "*example", "10.0.0.1", "*.10.0.0.1"]) {
      expect(parseHostPattern(text), text).toBeNull();
    }
  });
});

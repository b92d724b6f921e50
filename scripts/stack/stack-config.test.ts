import { describe, expect, test } from "vitest";
import { OperatorError } from "./operator-error";
import { imageCacheDir, listHostAddresses, loadStackConfig } from "./stack-config";

const registry = { NPM_REGISTRY_URL: "https://registry.test:8443/npm/" };

describe("the settings of a stack", () => {
  test("take the allowlist from the registry, and the monthly cap of a stack", async () => {
    const config = await loadStackConfig(registry);
    expect(config.settings).toMatchObject({ SANDBOX_MONTHLY_SECONDS: 72_000 });
    expect(config.settingsEnv).toMatchObject({
      EGRESS_ALLOWLIST: "registry.test",
      PORT: "3000",
      PUBLIC_URL: "http://localhost:3000",
    });
    expect(config.settingsEnv["DATA_DIR"]).toMatch(/^\/.*\/\.data$/);
  });

  test("keep what the operator gave, and take an empty value for none", async () => {
    const config = await loadStackConfig({
      ...registry,
      EGRESS_ALLOWLIST: "a.test",
      PORT: "4000",
      SANDBOX_MAX: "",
      PUBLIC_URL: "https://d.test",
    });
    expect(config.settings).toMatchObject({ PORT: 4000, SANDBOX_MAX: 4 });
    expect(config.settingsEnv).toMatchObject({ EGRESS_ALLOWLIST: "a.test" });
    expect(config.publicUrl).toBe("https://d.test");
  });

  test("name every fault at once in words for the operator", async () => {
    const failure = loadStackConfig({ ...registry, PORT: "web", SANDBOX_RUNTIME: "kata" });
    await expect(failure).rejects.toThrow(OperatorError);
    await expect(failure).rejects.toThrow(/PORT[^]*SANDBOX_RUNTIME|SANDBOX_RUNTIME[^]*PORT/);
  });

  test.each(["a b", "a.test;b.test", "*.a.test", "a.test:80", "http://a.test", "a..b", "[::1]"])(
    "refuse %j as hosts whose private addresses imports may reach",
    async (hosts) => {
      await expect(loadStackConfig({ ...registry, IMPORT_ALLOWED_HOSTS: hosts })).rejects.toThrow(
        /IMPORT_ALLOWED_HOSTS.*is not one host name or address/,
      );
    },
  );

  test("take several import hosts with commas between them", async () => {
    const config = await loadStackConfig({ ...registry, IMPORT_ALLOWED_HOSTS: " A.test, 10.0.0.7,fd00::1 " });
    expect(config.settings.IMPORT_ALLOWED_HOSTS).toEqual(["a.test", "10.0.0.7", "fd00::1"]);
  });

  test("refuse a file of certificates that is not there", async () => {
    await expect(loadStackConfig({ ...registry, EXTRA_CA_CERTS: "/nowhere/ca.crt" })).rejects.toThrow(
      "/nowhere/ca.crt",
    );
  });
});

test("the host's addresses are those that no private range covers, sorted, each once", () => {
  const entry = (address: string, internal = false): { address: string; internal: boolean } => ({
    address,
    internal,
  });
  expect(
    listHostAddresses({
      lo: [entry("127.0.0.1", true), entry("::1", true)],
      eth0: [
        entry("203.0.113.9"),
        entry("2001:db8::9"),
        entry("fe80::1"),
        entry("10.0.0.5"),
        entry("192.168.1.2"),
      ],
      eth1: [
        entry("203.0.113.9"),
        entry("172.20.0.1"),
        entry("100.64.3.3"),
        entry("fd00::1"),
        entry("198.51.100.1"),
      ],
      none: undefined,
    }),
  ).toEqual(["198.51.100.1", "2001:db8::9", "203.0.113.9"]);
});

test("the cache follows XDG_CACHE_HOME, and is the machine's for root on Linux", () => {
  expect(imageCacheDir({ env: { XDG_CACHE_HOME: "/c" }, isRoot: true })).toBe("/c/rhumbatron");
  if (process.platform === "linux")
    expect(imageCacheDir({ env: {}, isRoot: true })).toBe("/var/cache/rhumbatron");
  expect(imageCacheDir({ env: {}, isRoot: false })).toMatch(/\.cache\/rhumbatron$/);
});

import { expect, it } from "vitest";
import type { Transaction } from "../platform/db";
import { createSilentLogger } from "../platform/logger";
import { actorOf } from "../testing/actor-of";
import { createFakeClock } from "../testing/fake-clock";
import { createFakeAllowedHosts } from "../testing/fake-egress";
import { createAllowlist, type AllowlistAct } from "./allowlist";

const actor = actorOf("11111111-1111-4111-8111-111111111111");

function createWorld() {
  const store = createFakeAllowedHosts();
  const acts: AllowlistAct[] = [];
  let pushes = 0;
  let isReachable = true;
  const allowlist = createAllowlist({
    environment: [
      { host: "registry.example", address: null },
      { host: "internal.example", address: "10.0.0.9" },
    ],
    store,
    storeIn: () => store,
    transaction: (work) => work({} as Transaction),
    noteAct: (_tx, act) => Promise.resolve(void acts.push(act)),
    publish: () => {
      if (!isReachable) return Promise.reject(new Error("unreachable"));
      pushes += 1;
      return Promise.resolve();
    },
    clock: createFakeClock(),
    logger: createSilentLogger(),
  });
  return { allowlist, acts, pushes: () => pushes, setReachable: (next: boolean) => (isReachable = next) };
}

it("holds the environment's hosts and the admins' together, and each change is noted once and told at once", async () => {
  const { allowlist, acts, pushes } = createWorld();
  expect(await allowlist.allow({ host: " API.Example.com. ", actor })).toEqual({
    host: "api.example.com",
    isInForce: true,
  });
  await allowlist.allow({ host: "*.cdn.example", actor });
  await allowlist.allow({ host: "api.example.com", actor });
  expect((await allowlist.list()).map(({ host, source }) => [host, source])).toEqual([
    ["registry.example", "environment"],
    ["internal.example", "environment"],
    ["*.cdn.example", "setting"],
    ["api.example.com", "setting"],
  ]);
  await allowlist.remove({ host: "api.example.com", actor });
  await allowlist.remove({ host: "api.example.com", actor });
  expect((await allowlist.list()).map(({ host }) => host)).not.toContain("api.example.com");
  expect(acts.map(({ action, subject }) => [action, subject])).toEqual([
    ["egress.allow", "api.example.com"],
    ["egress.allow", "*.cdn.example"],
    ["egress.remove", "api.example.com"],
  ]);
  expect(pushes()).toBe(5);
});

it.each([
  "",
  "*",
  "*.",
  "10.0.0.1",
  "0x7f.1",
  "[::1]",
  "a.example:443",
  "https://a.example",
  "a.example=10.0.0.1",
  "a b",
  "bücher.example",
  "*.*.example",
])("takes no %j", async (host) => {
  const { allowlist, acts } = createWorld();
  await expect(allowlist.allow({ host, actor })).rejects.toMatchObject({ code: "input.invalid" });
  expect(acts).toEqual([]);
});

it("says of a host of the environment where it is set, and leaves it", async () => {
  const { allowlist, acts } = createWorld();
  await expect(allowlist.remove({ host: "registry.example", actor })).rejects.toMatchObject({
    code: "input.invalid",
    details: { variable: "EGRESS_ALLOWLIST" },
  });
  await allowlist.allow({ host: "registry.example", actor });
  expect(acts).toEqual([]);
  expect(await allowlist.list()).toHaveLength(2);
});

it("keeps a change that egress could not be told, and says so", async () => {
  const { allowlist, setReachable } = createWorld();
  setReachable(false);
  expect(await allowlist.allow({ host: "api.example.com", actor })).toMatchObject({ isInForce: false });
  expect((await allowlist.list()).map(({ host }) => host)).toContain("api.example.com");
});

import { expect, it } from "vitest";
import { createSilentLogger } from "../platform/logger";
import { createPolicyHolder, type PolicyHolder } from "./policy-holder";
import type { PolicyStore } from "./policy-store";
import type { Policy } from "./schema";

const policy = (version: number, allow: string[] = ["a.example"]): Policy => ({
  version,
  allow,
  hostAddresses: [],
  pinned: {},
  sources: [],
});

function createFakeStore(kept: Awaited<ReturnType<PolicyStore["load"]>> = { status: "none" }) {
  const saved: Policy[] = [];
  const store: PolicyStore & { fails: boolean } = {
    fails: false,
    load: () => Promise.resolve(kept),
    save: (next) => {
      if (store.fails) return Promise.reject(new Error("disk full"));
      saved.push(next);
      return Promise.resolve();
    },
  };
  return { store, saved };
}

const hold = (store: PolicyStore): Promise<PolicyHolder> =>
  createPolicyHolder({ store, logger: createSilentLogger() });

it("there is no policy before the first, and words say so", async () => {
  const holder = await hold(createFakeStore().store);
  expect(holder.current()).toBeNull();
  expect(holder.describe()).toContain("No allowlist has arrived yet");
});

it("a kept policy is in force at once", async () => {
  const holder = await hold(createFakeStore({ status: "found", policy: policy(4) }).store);
  expect(holder.current()?.version).toBe(4);
});

it("a kept policy that cannot be read counts as none", async () => {
  const holder = await hold(createFakeStore({ status: "unreadable", cause: new Error("broken") }).store);
  expect(holder.current()).toBeNull();
  expect(holder.describe()).toContain("cannot be read (broken)");
});

it("versions only grow; the same again changes nothing; another one under the same version is stale", async () => {
  const { store, saved } = createFakeStore();
  const holder = await hold(store);
  expect(await holder.offer(policy(2))).toEqual({ status: "in_force", version: 2 });
  expect(await holder.offer(policy(2))).toEqual({ status: "in_force", version: 2 });
  expect(await holder.offer(policy(2, ["b.example"]))).toEqual({ status: "stale", version: 2 });
  expect(await holder.offer(policy(1))).toEqual({ status: "stale", version: 2 });
  expect(await holder.offer(policy(3))).toEqual({ status: "in_force", version: 3 });
  expect(saved.map(({ version }) => version)).toEqual([2, 3]);
});

it("a policy that could not be kept is not in force, and can be offered again", async () => {
  const { store } = createFakeStore();
  const holder = await hold(store);
  store.fails = true;
  await expect(holder.offer(policy(1))).rejects.toThrow("disk full");
  expect(holder.current()).toBeNull();
  store.fails = false;
  expect(await holder.offer(policy(1))).toEqual({ status: "in_force", version: 1 });
});

it("offers that arrive together end with the highest version", async () => {
  const { store, saved } = createFakeStore();
  const holder = await hold(store);
  const results = await Promise.all([5, 3, 9, 7].map((version) => holder.offer(policy(version))));
  expect(results.map(({ status }) => status)).toEqual(["in_force", "stale", "in_force", "stale"]);
  expect(holder.current()?.version).toBe(9);
  expect(saved.at(-1)?.version).toBe(9);
});

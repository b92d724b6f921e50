import { expect, it } from "vitest";
import { createSilentLogger } from "../platform/logger";
import type { SandboxList } from "../sandboxd/types";
import { createFakeClock } from "../testing/fake-clock";
import type { EgressControl } from "./control";
import { createEgressPublisher, type EgressPublisher } from "./publisher";
import type { Policy } from "./schema";

function createWorld(options: { egressHas?: number } = {}) {
  const pushed: Policy[] = [];
  let egressVersion = options.egressHas ?? 0;
  let isReachable = true;
  let version = 0;
  let addresses = ["10.231.0.4"];
  const allowed = [
    { host: "registry.example", address: null },
    { host: "internal.example", address: "10.0.0.9" },
  ];
  const control: EgressControl = {
    push: (policy) => {
      if (!isReachable) return Promise.reject(new Error("unreachable"));
      if (policy.version < egressVersion) return Promise.resolve({ status: "stale", version: egressVersion });
      egressVersion = policy.version;
      pushed.push(policy);
      return Promise.resolve({ status: "accepted" });
    },
    listRefused: () => Promise.resolve([]),
  };
  const clock = createFakeClock();
  const publisher: EgressPublisher = createEgressPublisher({
    sandboxes: {
      list: () =>
        Promise.resolve({
          live: addresses.map((address, index) => ({ address, sandboxId: `proj-${index}` })),
        } as unknown as SandboxList),
    },
    control,
    versions: {
      next: () => Promise.resolve(++version),
      raiseAbove: (known) => {
        version = Math.max(version, known);
        return Promise.resolve();
      },
    },
    listAllowed: () => Promise.resolve(allowed),
    hostAddresses: ["198.51.100.7"],
    clock,
    logger: createSilentLogger(),
  });
  return {
    publisher,
    pushed,
    clock,
    allow: (host: string) => allowed.push({ host, address: null }),
    setAddresses: (next: string[]) => (addresses = next),
    setReachable: (next: boolean) => (isReachable = next),
  };
}

it("pushes the allowlist, pinned addresses, the host's addresses and whose Sandbox each address is", async () => {
  const { publisher, pushed } = createWorld();
  await publisher.publish();
  expect(pushed[0]).toEqual({
    version: 1,
    allow: ["registry.example", "internal.example"],
    pinned: { "internal.example": "10.0.0.9" },
    hostAddresses: ["198.51.100.7"],
    sources: [{ address: "10.231.0.4", sandboxId: "proj-0" }],
  });
});

it("keeps the version of an unchanged content and gives a changed one the next", async () => {
  const { publisher, pushed, setAddresses } = createWorld();
  await publisher.publish();
  await publisher.publish();
  setAddresses(["10.231.0.4", "10.231.0.20"]);
  await publisher.publish();
  expect(pushed.map((policy) => policy.version)).toEqual([1, 1, 2]);
});

it("passes an egress that remembers a higher version from before this database", async () => {
  const { publisher, pushed } = createWorld({ egressHas: 41 });
  await publisher.publish();
  expect(pushed.map((policy) => policy.version)).toEqual([42]);
});

it("tries again until egress can be reached", async () => {
  const { publisher, pushed, clock, setReachable } = createWorld();
  setReachable(false);
  publisher.start();
  await clock.advance(20_000);
  setReachable(true);
  await clock.advance(6_000);
  expect(pushed.length).toBeGreaterThan(0);
});

it("pushes one at a time, so that an older content never overtakes a newer one", async () => {
  const { publisher, pushed, setAddresses } = createWorld();
  const first = publisher.publish();
  setAddresses(["10.231.0.36"]);
  await Promise.all([first, publisher.publish(), publisher.publish()]);
  expect(pushed.at(-1)?.sources).toEqual([{ address: "10.231.0.36", sandboxId: "proj-0" }]);
  expect(pushed.map((policy) => policy.version)).toEqual(
    [...pushed.map((policy) => policy.version)].sort((a, b) => a - b),
  );
});

it("pushes a host that was allowed meanwhile under a new version, and each host once", async () => {
  const { publisher, pushed, allow } = createWorld();
  await publisher.publish();
  allow("api.example");
  allow("registry.example");
  await publisher.publish();
  expect(pushed[1]).toMatchObject({
    version: 2,
    allow: ["registry.example", "internal.example", "api.example"],
    pinned: { "internal.example": "10.0.0.9" },
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "../platform/clock";
import { createTransactions } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger } from "../platform/logger";
import type { SandboxList } from "../sandboxd/types";
import { createSettingsService } from "../settings/service";
import { createSettingStore } from "../settings/store";
import { actorOf } from "../testing/actor-of";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createEgressStack, type EgressStack, type TestSandbox } from "../testing/egress-stack";
import { testRuntimes } from "../testing/int-environment";
import { createAllowlist, type Allowlist } from "./allowlist";
import type { EgressControl } from "./control";
import { createEgressControl } from "./control-http";
import { createEgressPublisher } from "./publisher";
import { createRefusals, type Refusals } from "./refusals";
import { createAllowedHostStore, createPolicyVersions } from "./store";

const actor = actorOf("11111111-1111-4111-8111-111111111111");
const sandboxId = "proj-11111111-1111-4111-8111-111111111111";
const runId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const startedAt = new Date();

let stack: EgressStack;
let database: TestDatabase;
let allowlist: Allowlist;
let refusals: Refusals;
let audited: () => Promise<[action: string, subject: string][]>;
const sandboxes = new Map<string, TestSandbox>();

beforeAll(async () => {
  stack = await createEgressStack();
  database = await createTestDatabase();
  for (const runtime of testRuntimes) sandboxes.set(runtime, await stack.startSandbox(runtime));
  const baseUrl = await stack.egressControlUrl();
  await vi.waitFor(async () => expect((await fetch(`${baseUrl}/health`)).ok).toBe(true), { timeout: 20_000 });
  const db = database.open();
  const [clock, logger, ids] = [createSystemClock(), createSilentLogger(), createSystemIds()];
  const egress = createEgressControl({ baseUrl, signer: stack.signer });
  // The upstream of this test has a private address, which only a pinned name reaches.
  const control: EgressControl = {
    ...egress,
    push: (policy) => egress.push({ ...policy, pinned: { "up.test": stack.upstreamAddress } }),
  };
  const settings = createSettingsService({ store: createSettingStore(db), ids, environment: [] });
  allowlist = createAllowlist({
    environment: [{ host: "registry.example", address: null }],
    store: createAllowedHostStore(db),
    storeIn: createAllowedHostStore,
    transaction: createTransactions(db),
    noteAct: (tx, act) => settings.appendAudit(tx, act),
    publish: () => publisher.publish(),
    clock,
    logger,
  });
  const live = [...sandboxes.values()].map(({ address }) => ({ address, sandboxId }));
  const publisher = createEgressPublisher({
    sandboxes: { list: () => Promise.resolve({ live } as unknown as SandboxList) },
    control,
    versions: createPolicyVersions(db),
    listAllowed: async () => (await allowlist.list()).map(({ host }) => ({ host, address: null })),
    hostAddresses: [],
    clock,
    logger,
  });
  await publisher.publish();
  refusals = createRefusals({ control, allowlist, logger });
  audited = async () =>
    (await settings.listAudit({ subject: null, text: null, after: null, limit: 50 })).map(
      ({ action, subject }) => [action, subject],
    );
});
afterAll(async () => {
  await stack.close();
  await database.drop();
});

describe.each(testRuntimes)("from a Sandbox on %s", (runtime) => {
  const ask = async (): Promise<string> => {
    const sandbox = sandboxes.get(runtime);
    const proxy = `http://${runId}:run@egress:3128`;
    return (await sandbox?.run(`curl -s -m 5 -x ${proxy} http://up.test/`))?.stdout ?? "not run";
  };

  it("a host is reached as soon as an admin's call was answered, and no longer than until it is removed", async () => {
    expect(await ask()).toContain("up.test:80: the host is not on the allowlist");
    expect(await allowlist.allow({ host: "up.test", actor })).toEqual({ host: "up.test", isInForce: true });
    expect(await ask()).toBe("xx");
    expect(await allowlist.remove({ host: "up.test", actor })).toMatchObject({ isInForce: true });
    expect(await ask()).toContain("up.test:80: the host is not on the allowlist");
    expect((await audited()).slice(0, 2)).toEqual([
      ["egress.remove", "up.test"],
      ["egress.allow", "up.test"],
    ]);
  });

  it("what is open to a host ends when the host is removed", async () => {
    const openCount = async (): Promise<string> =>
      /Open connections: (\d+)/.exec(
        await (await fetch(`${await stack.egressControlUrl()}/health`)).text(),
      )?.[1] ?? "unknown";
    await allowlist.allow({ host: "up.test", actor });
    const reading = sandboxes
      .get(runtime)
      ?.run(
        "curl -s -m 60 --limit-rate 1k -x http://egress:3128 'http://up.test/?bytes=48000000' | head -c 1",
      );
    await vi.waitFor(async () => expect(await openCount()).toBe("1"), { timeout: 20_000 });
    await allowlist.remove({ host: "up.test", actor });
    await vi.waitFor(async () => expect(await openCount()).toBe("0"), { timeout: 10_000 });
    await reading;
  });

  it("what was refused is told by Sandbox and Run, and to a Run only what it was refused itself", async () => {
    await ask();
    const [newest] = (await refusals.recent()) ?? [];
    expect(newest).toMatchObject({ host: "up.test", port: 80, reason: "name", sandboxId, proxyUser: runId });
    expect(newest?.count).toBeGreaterThan(1);
    expect(await refusals.ofRun({ runId, sandboxId, since: startedAt })).toMatchObject({
      refused: [{ host: "up.test", port: 80, reason: "name" }],
      allowed: ["registry.example"],
    });
    const nothing = { refused: [], allowed: [] };
    const other = "22222222-2222-4222-8222-222222222222";
    expect(await refusals.ofRun({ runId: other, sandboxId, since: startedAt })).toEqual(nothing);
    expect(await refusals.ofRun({ runId, sandboxId: `proj-${other}`, since: startedAt })).toEqual(nothing);
    const later = new Date(Date.now() + 60_000);
    expect(await refusals.ofRun({ runId, sandboxId, since: later })).toEqual(nothing);
  });
});

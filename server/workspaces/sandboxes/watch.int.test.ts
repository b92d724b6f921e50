import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createEvents } from "../../events/service";
import { createEventStore } from "../../events/store";
import { createTransactions, type Db } from "../../platform/db";
import { createSystemIds } from "../../platform/ids";
import type { SandboxList, SandboxRecord } from "../../sandboxd/types";
import { createTestDatabase, type TestDatabase } from "../../testing/database";
import { fakeSandbox } from "../../testing/fake-api";
import { createFakeClock } from "../../testing/fake-clock";
import { createSandboxLifeStore } from "./store";
import { createSandboxWatch, type SandboxWatch } from "./watch";

const projectId = randomUUID();
const endedAt = "2026-03-01T10:00:00.000Z";
const idle = { endReason: "idle", detail: "Nothing happened in it.", endedAt } as const;

let database: TestDatabase;
let db: Db;
let host: Pick<SandboxList, "live" | "gone">;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.event.deleteMany();
  await db.sandboxLife.deleteMany();
  host = { live: [], gone: [] };
});

const sandbox = (runtimeId: string, change: Partial<SandboxRecord> = {}): SandboxRecord => ({
  ...fakeSandbox(projectId),
  runtimeId,
  ...change,
});
const gone = (runtimeId: string): SandboxRecord => sandbox(runtimeId, { state: "gone", ...idle });

function createWatch(): SandboxWatch {
  const clock = createFakeClock();
  return createSandboxWatch({
    sandboxes: {
      list: () => Promise.resolve({ asOf: endedAt, liveMax: 4, warmCount: 0, ...host }),
    },
    store: createSandboxLifeStore(db),
    storeIn: createSandboxLifeStore,
    transaction: createTransactions(db),
    events: createEvents({ store: createEventStore(db), clock, ids: createSystemIds() }),
    clock,
  });
}

const told = async () => {
  const events = await db.event.findMany({ orderBy: { position: "asc" } });
  return events.map(({ type, data }) => {
    const { runtimeId, reason } = data as Record<string, string | undefined>;
    return reason === undefined ? [type, runtimeId] : [type, runtimeId, reason];
  });
};

it("a Sandbox's start and end are told once each, with its cause and time, by however many looks at once", async () => {
  const watches = [createWatch(), createWatch()];
  const lookTwice = async () => {
    await Promise.all(watches.map((watch) => watch.sweep()));
    await Promise.all(watches.map((watch) => watch.sweep()));
  };
  host = { live: [sandbox("a")], gone: [] };
  await lookTwice();
  host = { live: [], gone: [gone("a")] };
  await lookTwice();
  expect(await told()).toEqual([
    ["sandbox.started", "a"],
    ["sandbox.removed", "a", "idle"],
  ]);
  const event = await db.event.findFirst({ where: { type: "sandbox.removed" } });
  expect(event).toMatchObject({ projectId, at: new Date(endedAt), data: { detail: idle.detail } });
  expect(await db.sandboxLife.findMany()).toMatchObject([{ endedAt: new Date(endedAt), endReason: "idle" }]);
});

it("one that came and went between two looks is told too, before the one that took its place", async () => {
  host = { live: [], gone: [gone("b"), gone("a")] };
  await createWatch().sweep();
  expect(await told()).toEqual([
    ["sandbox.started", "a"],
    ["sandbox.removed", "a", "idle"],
    ["sandbox.started", "b"],
    ["sandbox.removed", "b", "idle"],
  ]);
});

it("one that is starting, being taken over or being removed is not told as gone", async () => {
  host = { live: [sandbox("a")], gone: [] };
  await createWatch().sweep();
  host = { live: [sandbox("a", { state: "starting", runtimeId: null })], gone: [] };
  await createWatch().sweep();
  host = { live: [sandbox("a", { state: "removing" })], gone: [] };
  await createWatch().sweep();
  expect(await told()).toEqual([["sandbox.started", "a"]]);
});

it("one that sandboxd has forgotten is told as lost", async () => {
  host = { live: [sandbox("a")], gone: [] };
  await createWatch().sweep();
  host = { live: [sandbox("b")], gone: [] };
  await createWatch().sweep();
  expect(await told()).toEqual([
    ["sandbox.started", "a"],
    ["sandbox.started", "b"],
    ["sandbox.removed", "a", "lost"],
  ]);
});

it("what could not be started is not told: it never was there", async () => {
  host = { live: [], gone: [sandbox("", { state: "failed", runtimeId: null, startedAt: null, ...idle })] };
  await createWatch().sweep();
  expect(await told()).toEqual([]);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemClock, type Clock } from "../platform/clock";
import type { Db } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger } from "../platform/logger";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createFakeClock } from "../testing/fake-clock";
import { until } from "../testing/until";
import { createIdempotency, type Idempotency } from "./service";
import { createCallStore, type CallStore } from "./store";

interface Answer {
  status: "done" | "refused";
  value: number;
}

let database: TestDatabase;
let db: Db;
/** Two processes of ours on one database. */
let here: Idempotency;
let there: Idempotency;

const system = createSystemClock();
/** Lives a hundred times as fast as it tells, so that a lost owner is noticed at once. */
const hasty: Clock = { ...system, monotonicMs: () => system.monotonicMs() * 100 };

const createProcess = (
  clock: Clock = system,
  store: CallStore = createCallStore(database.open()),
): Idempotency => createIdempotency({ store, clock, ids: createSystemIds(), logger: createSilentLogger() });

/** A process of which a test sees how often it has looked at a call, and how often it has said that it lives. */
function createWatchedProcess(clock: Clock): {
  process: Idempotency;
  looks: () => number;
  beats: () => number;
} {
  const store = createCallStore(database.open());
  let lookCount = 0;
  let beatCount = 0;
  const watched: CallStore = {
    ...store,
    find: (key) => store.find(key).finally(() => lookCount++),
    beat: (id, ownerId) => store.beat(id, ownerId).finally(() => beatCount++),
  };
  return { process: createProcess(clock, watched), looks: () => lookCount, beats: () => beatCount };
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  here = createProcess();
  there = createProcess();
});
afterAll(() => database.drop());

const isKept = (answer: Answer): boolean => answer.status !== "refused";
const createCall = (body: unknown = { path: "a" }) => ({
  actorId: randomUUID(),
  procedure: "workspace.writeFile",
  scopeId: randomUUID(),
  key: "k",
  body,
  isKept,
});

/** An act that counts how often it was begun, and waits until it is let go on. */
function createAct(answer: Answer = { status: "done", value: 7 }) {
  let begun = 0;
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  return {
    act: async (): Promise<Answer> => {
      begun++;
      await gate;
      return answer;
    },
    letGo: () => letGo(),
    begunCount: () => begun,
  };
}

describe("a repeat with an equal body", () => {
  it("joins the call that is under way, in this process and another, and none of them acts", async () => {
    const call = createCall();
    const { act, letGo, begunCount } = createAct();
    const watched = [createWatchedProcess(system), createWatchedProcess(system)];
    const first = watched[0]?.process.runOnce(call, act);
    await until("the act is under way", () => begunCount() === 1);
    const repeats = [...watched, ...watched].map(({ process }) => process.runOnce(call, act));
    // Two repeats in each: both have looked, and looked again.
    await until("every repeat has joined", () => watched.every(({ looks }) => looks() >= 4));
    letGo();
    expect(await Promise.all([first, ...repeats])).toEqual(Array(5).fill({ status: "done", value: 7 }));
    expect(begunCount()).toBe(1);
  });

  it("of twenty at once from two processes makes one act", async () => {
    const call = createCall();
    const { act, letGo, begunCount } = createAct();
    letGo();
    const all = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? here : there).runOnce(call, act));
    expect(new Set((await Promise.all(all)).map(({ value }) => value))).toEqual(new Set([7]));
    expect(begunCount()).toBe(1);
  });

  it("later gets the stored success, with the body's keys in any order", async () => {
    const call = createCall({ a: 1, b: 2 });
    await here.runOnce(call, () => Promise.resolve({ status: "done", value: 3 }));
    const { act, begunCount } = createAct();
    expect(await there.runOnce({ ...call, body: { b: 2, a: 1 } }, act)).toEqual({ status: "done", value: 3 });
    expect(begunCount()).toBe(0);
  });
});

describe("another body", () => {
  it.each(["while the first is under way", "after the first is through"])(
    "%s is conflict.idempotency and leaves the first alone",
    async (when) => {
      const call = createCall();
      const { act, letGo, begunCount } = createAct();
      if (when.startsWith("after")) letGo();
      const first = here.runOnce(call, act);
      await until("the act is under way", () => begunCount() === 1);
      if (when.startsWith("after")) await first;
      await expect(there.runOnce({ ...call, body: { path: "b" } }, act)).rejects.toMatchObject({
        code: "conflict.idempotency",
      });
      letGo();
      expect(await first).toEqual({ status: "done", value: 7 });
      expect(await there.runOnce(call, act)).toEqual({ status: "done", value: 7 });
      expect(begunCount()).toBe(1);
    },
  );

  it.each([["actorId"], ["procedure"], ["scopeId"]] as const)(
    "under another %s is another call",
    async (part) => {
      const call = createCall();
      await here.runOnce(call, () => Promise.resolve({ status: "done", value: 1 }));
      const other = { ...call, [part]: randomUUID(), body: { path: "b" } };
      expect(await here.runOnce(other, () => Promise.resolve({ status: "done", value: 2 }))).toEqual({
        status: "done",
        value: 2,
      });
    },
  );
});

describe("what is not a success", () => {
  it("is not stored when it is a refusal: the repeat is tried anew, with any body", async () => {
    const call = createCall();
    await here.runOnce(call, () => Promise.resolve({ status: "refused", value: 0 }));
    expect(
      await there.runOnce({ ...call, body: "other" }, () => Promise.resolve({ status: "done", value: 1 })),
    ).toEqual({ status: "done", value: 1 });
  });

  it("is not stored when it was thrown, and a repeat that had joined is carried out then", async () => {
    const call = createCall();
    let fail = (): void => {};
    let isBegun = false;
    const first = here.runOnce(call, () => {
      isBegun = true;
      return new Promise<Answer>((_, reject) => (fail = () => reject(new Error("broken"))));
    });
    await until("the act is under way", () => isBegun);
    const repeat = there.runOnce(call, () => Promise.resolve({ status: "done", value: 2 }));
    fail();
    await expect(first).rejects.toThrow("broken");
    expect(await repeat).toEqual({ status: "done", value: 2 });
  });
});

describe("a key whose process crashed in flight", () => {
  const crash = async (call: ReturnType<typeof createCall>): Promise<void> => {
    const { actorId, procedure, scopeId, key } = call;
    const ids = { id: randomUUID(), ownerId: randomUUID() };
    const data = { ...ids, actorId, procedure, scopeId, key, bodyHash: "of the lost call" };
    await db.idempotencyKey.create({ data: { ...data, createdAt: new Date() } });
  };

  it("is taken over by a repeat, and by one of several only", async () => {
    const call = createCall();
    await crash(call);
    const { act, letGo, begunCount } = createAct();
    letGo();
    const [one, two] = [createProcess(hasty), createProcess(hasty)];
    // The body is not the lost call's either: nothing is known of what that came to.
    const attempt = (process: Idempotency): Promise<Answer> =>
      until("the key is taken over", () => process.runOnce(call, act).catch(() => null));
    expect(await Promise.all([attempt(one), attempt(two)])).toEqual(
      Array(2).fill({ status: "done", value: 7 }),
    );
    expect(begunCount()).toBe(1);
  });

  it("is freed by the sweep", async () => {
    const call = createCall();
    await crash(call);
    const process = createProcess(hasty);
    await until("the key is free", async () => {
      await process.sweep();
      return (await db.idempotencyKey.count({ where: { actorId: call.actorId } })) === 0;
    });
  });

  it("is not one that still moves, however long its act takes", async () => {
    const call = createCall();
    const { act, letGo, begunCount } = createAct();
    const clock = createFakeClock(system.now());
    const owner = createWatchedProcess(clock);
    const other = createWatchedProcess(clock);
    const first = owner.process.runOnce(call, act);
    await until("the act is under way", () => begunCount() === 1);
    const repeat = other.process.runOnce(call, act);
    await until("the repeat has looked", () => other.looks() > 0);
    // Longer than the 15 s of silence that the other takes for a crash.
    while (clock.monotonicMs() < 20_000) {
      const before = { beats: owner.beats(), looks: other.looks() };
      await clock.advance(2_000);
      await until("the owner has said that it lives", () => owner.beats() > before.beats);
      await until("the repeat has looked again", () => other.looks() > before.looks);
    }
    letGo();
    await first;
    await clock.advance(100);
    expect(await Promise.all([first, repeat])).toEqual(Array(2).fill({ status: "done", value: 7 }));
    expect(begunCount()).toBe(1);
  });
});

it("forgets a success after 24 hours, and the sweep removes it", async () => {
  const [old, other] = [createCall(), createCall()];
  const answer = (value: number) => (): Promise<Answer> => Promise.resolve({ status: "done", value });
  await here.runOnce(old, answer(1));
  await here.runOnce(other, answer(1));
  const createdAt = new Date(system.now().getTime() - 24 * 60 * 60 * 1000 - 1_000);
  const tokens = { actorId: { in: [old.actorId, other.actorId] } };
  await db.idempotencyKey.updateMany({ where: tokens, data: { createdAt } });
  expect(await there.runOnce({ ...old, body: "another" }, answer(2))).toEqual({ status: "done", value: 2 });
  await here.sweep();
  expect(await db.idempotencyKey.findMany({ where: tokens, select: { actorId: true } })).toEqual([
    { actorId: old.actorId },
  ]);
});

it("stores a result with texts that the database cannot hold as they are", async () => {
  const call = { ...createCall(), isKept: () => true };
  await here.runOnce(call, () => Promise.resolve({ text: "a\0b\uD800" }));
  expect(await there.runOnce(call, () => Promise.resolve({ text: "" }))).toEqual({ text: "a\u2400b\uFFFD" });
});

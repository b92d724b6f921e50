import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../platform/db";
import { actorOf } from "../testing/actor-of";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createFakeClock, type FakeClock } from "../testing/fake-clock";
import {
  clearMeter,
  createMeterProcess,
  ledgerFaults,
  readLedger,
  type MeterProcess,
} from "../testing/meter-world";

let database: TestDatabase;
let db: Db;
let clock: FakeClock;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());

beforeEach(async () => {
  await clearMeter(db);
  clock = createFakeClock();
});

/** Whatever a test did, the counters are the sums of the sessions. */
afterEach(async () => {
  expect(ledgerFaults(await readLedger(db))).toEqual([]);
});

const start = (environmentCapSeconds: number | null): MeterProcess =>
  createMeterProcess({ db, clock, environmentCapSeconds });
const at = (text: string): Date => new Date(text);
const ahead = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);

async function openSession(process: MeterProcess, now: Date, tailSeconds = 120): Promise<string> {
  const { sessionId, answer } = await process.reserve({ now, tailSeconds });
  expect(answer.status).toBe("granted");
  const opening = await process.transaction((tx) => process.meter.open(tx, { sessionId, now }));
  expect(opening.status).toBe("open");
  return sessionId;
}
const settle = ({ transaction, meter }: MeterProcess, sessionId: string, now: Date, idleSince?: Date) =>
  transaction((tx) => meter.settle(tx, { sessionId, now, idleSince: idleSince ?? null }));
const extend = ({ transaction, meter }: MeterProcess, sessionId: string, now: Date) =>
  transaction((tx) => meter.extend(tx, { sessionId, now, stepSeconds: 300 }));

describe("a reservation", () => {
  it.each([
    [299, null],
    [300, 0],
    [301, 1],
  ])("with %d s free leaves %j (null: refused, and nothing is written)", async (free, left) => {
    const process = start(free);
    const { answer } = await process.reserve({ now: clock.now() });
    const month = await process.meter.current(null);
    if (left === null) {
      expect(answer).toEqual({
        status: "refused",
        reason: "meter_exhausted",
        month: "2026-01",
        capSeconds: 299,
        usedSeconds: 0,
        reservedSeconds: 0,
      });
      expect(await db.workspaceSession.count()).toBe(0);
      expect(month).toMatchObject({ reservedSeconds: 0, remainingSeconds: 299 });
    } else {
      expect(answer).toEqual({ status: "granted", reservedSeconds: 300 });
      expect(month).toMatchObject({ usedSeconds: 0, reservedSeconds: 300, remainingSeconds: left });
    }
  });

  it("is refused with the figures that it was decided on", async () => {
    const process = start(700);
    await settle(process, await openSession(process, clock.now()), ahead(clock.now(), 4.2));
    await openSession(process, clock.now());
    expect((await process.reserve({ now: clock.now() })).answer).toMatchObject({
      status: "refused",
      capSeconds: 700,
      usedSeconds: 125,
      reservedSeconds: 300,
    });
  });

  it.each([
    [18_000, 120, 60],
    [36_000, 120, 120],
    [18_000, 600, 27],
    [36_000, 600, 54],
  ])("under a cap of %d s with a tail of %d s is granted %d times", async (cap, tailSeconds, count) => {
    const process = start(cap);
    for (let n = 0; n < count; n++) {
      expect((await process.reserve({ now: clock.now(), tailSeconds })).answer.status).toBe("granted");
    }
    expect((await process.reserve({ now: clock.now(), tailSeconds })).answer.status).toBe("refused");
  });

  it("over the edge of a month takes from each what falls in it, and from none when one has no room", async () => {
    const process = start(300);
    await process.reserve({ now: at("2026-02-03T00:00:00Z") });
    const { answer } = await process.reserve({ now: at("2026-01-31T23:58:00Z") });
    expect(answer).toMatchObject({ status: "refused", month: "2026-02", reservedSeconds: 300 });
    expect(await process.meter.current("2026-01" as never)).toMatchObject({ reservedSeconds: 0 });
  });

  it("of a transaction that is rolled back was never there", async () => {
    const process = start(300);
    const request = { sessionId: randomUUID(), runId: randomUUID(), projectId: randomUUID() };
    await expect(
      process.transaction(async (tx) => {
        const rest = { changeId: randomUUID(), reserveSeconds: 300, tailSeconds: 120, now: clock.now() };
        await process.meter.reserve(tx, { ...request, ...rest });
        throw new Error("crashed");
      }),
    ).rejects.toThrow("crashed");
    expect((await process.reserve({ now: clock.now() })).answer.status).toBe("granted");
  });

  it("is given back by a release, once", async () => {
    const process = start(300);
    const { sessionId } = await process.reserve({ now: clock.now() });
    for (let n = 0; n < 3; n++) {
      await process.transaction((tx) => process.meter.release(tx, { sessionId, now: clock.now() }));
      expect(await process.meter.current(null)).toMatchObject({ usedSeconds: 0, remainingSeconds: 300 });
    }
    expect(await settle(process, sessionId, clock.now())).toEqual({ wallSeconds: 0, chargedSeconds: 0 });
    await expect(
      process.transaction((tx) => process.meter.open(tx, { sessionId, now: clock.now() })),
    ).rejects.toThrow("cannot become open");
  });

  it("that never opened is released by a settlement, and an open one is not to be released", async () => {
    const process = start(36_000);
    const { sessionId } = await process.reserve({ now: clock.now() });
    expect(await settle(process, sessionId, clock.now())).toEqual({ wallSeconds: 0, chargedSeconds: 0 });
    const open = await openSession(process, clock.now());
    await expect(
      process.transaction((tx) => process.meter.release(tx, { sessionId: open, now: clock.now() })),
    ).rejects.toThrow("cannot become released");
  });
});

describe("a close", () => {
  it.each([
    [0, 120],
    [0.5, 121],
    [5, 125],
    [180, 300],
    [181, 301],
  ])("after %d s charges %d s and gives back the rest", async (seconds, charged) => {
    const process = start(36_000);
    const sessionId = await openSession(process, clock.now());
    if (seconds >= 150) await extend(process, sessionId, ahead(clock.now(), 150));
    await settle(process, sessionId, ahead(clock.now(), seconds));
    expect(await process.meter.current(null)).toMatchObject({ usedSeconds: charged, reservedSeconds: 0 });
  });

  it("is one settlement, whoever asks and how often: the first one's figures", async () => {
    const process = start(36_000);
    const other = createMeterProcess({ db: database.open(), clock, environmentCapSeconds: 36_000 });
    const sessionId = await openSession(process, clock.now());
    const answers = await Promise.all(
      [5, 60, 100, 140].map((seconds, n) =>
        settle(n % 2 === 0 ? process : other, sessionId, ahead(clock.now(), seconds)),
      ),
    );
    expect(new Set(answers.map(({ chargedSeconds }) => chargedSeconds)).size).toBe(1);
    expect(await process.meter.current(null)).toMatchObject({ usedSeconds: answers[0]?.chargedSeconds });
    expect(await settle(process, sessionId, ahead(clock.now(), 999))).toEqual(answers[0]);
    expect(await extend(process, sessionId, clock.now())).toEqual({ status: "ended" });
  });

  it("of one that fell asleep counts to its last activity", async () => {
    const process = start(36_000);
    const sessionId = await openSession(process, clock.now());
    const end = await settle(process, sessionId, ahead(clock.now(), 140), ahead(clock.now(), 20));
    expect(end).toEqual({ wallSeconds: 20, chargedSeconds: 140 });
  });

  it("whose transaction is rolled back charges nothing, and is made good later", async () => {
    const process = start(36_000);
    const sessionId = await openSession(process, clock.now());
    await expect(
      process.transaction(async (tx) => {
        await process.meter.settle(tx, { sessionId, now: ahead(clock.now(), 5), idleSince: null });
        throw new Error("crashed");
      }),
    ).rejects.toThrow("crashed");
    expect(await process.meter.current(null)).toMatchObject({ usedSeconds: 0, reservedSeconds: 300 });
    expect(await settle(process, sessionId, ahead(clock.now(), 5))).toMatchObject({ chargedSeconds: 125 });
  });
});

describe("a session that goes on", () => {
  it("reserves another step before wall time and tail reach what it holds", async () => {
    const process = start(36_000);
    const now = clock.now();
    const sessionId = await openSession(process, now);
    expect(await extend(process, sessionId, ahead(now, 149))).toEqual({
      status: "held",
      reservedSeconds: 300,
      extendAt: ahead(now, 150),
    });
    expect(await extend(process, sessionId, ahead(now, 150))).toEqual({
      status: "held",
      reservedSeconds: 600,
      extendAt: ahead(now, 450),
    });
    expect(await settle(process, sessionId, ahead(now, 400))).toEqual({
      wallSeconds: 400,
      chargedSeconds: 520,
    });
  });

  it("has no room, keeps what it holds, and settles within it", async () => {
    const process = start(599);
    const now = clock.now();
    const sessionId = await openSession(process, now);
    expect(await extend(process, sessionId, ahead(now, 150))).toEqual({ status: "no_room" });
    expect(await process.meter.current(null)).toMatchObject({ reservedSeconds: 300 });
    expect(await settle(process, sessionId, ahead(now, 155))).toEqual({
      wallSeconds: 155,
      chargedSeconds: 275,
    });
  });

  it("is held to what it holds when the clock jumps a day ahead, and never goes below 0 when it jumps back", async () => {
    const process = start(200_000);
    const now = clock.now();
    const [early, late] = [await openSession(process, now), await openSession(process, now)];
    expect(await extend(process, late, ahead(now, 86_400))).toEqual({ status: "no_room" });
    expect(await settle(process, late, ahead(now, 86_400))).toMatchObject({ chargedSeconds: 300 });
    await extend(process, early, ahead(now, 40));
    expect(await settle(process, early, ahead(now, -3_600))).toEqual({
      wallSeconds: 40,
      chargedSeconds: 160,
    });
  });

  it("over the edge of a month: 31 January 23:58 to 1 February 00:03", async () => {
    const process = start(36_000);
    const sessionId = await openSession(process, at("2026-01-31T23:58:00Z"));
    expect(await process.meter.current("2026-01" as never)).toMatchObject({ reservedSeconds: 120 });
    expect(await process.meter.current("2026-02" as never)).toMatchObject({ reservedSeconds: 180 });
    await extend(process, sessionId, at("2026-02-01T00:01:00Z"));
    await settle(process, sessionId, at("2026-02-01T00:03:00Z"));
    expect(await process.meter.history({ before: null, limit: 9 })).toEqual([
      { month: "2026-02", usedSeconds: 300, reservedSeconds: 0 },
      { month: "2026-01", usedSeconds: 120, reservedSeconds: 0 },
    ]);
  });

  it("does not pass into a month that has no room", async () => {
    const process = start(480);
    await process.reserve({ now: at("2026-02-02T00:00:00Z") });
    const sessionId = await openSession(process, at("2026-01-31T23:57:00Z"));
    expect(await extend(process, sessionId, at("2026-01-31T23:59:30Z"))).toEqual({ status: "no_room" });
    expect(await settle(process, sessionId, at("2026-01-31T23:59:31Z"))).toMatchObject({
      chargedSeconds: 271,
    });
  });

  it("that opens later than it reserved holds its seconds where they now fall, or has no room there", async () => {
    const process = start(600);
    const { sessionId } = await process.reserve({ now: at("2026-01-31T23:58:00Z") });
    const now = at("2026-01-31T23:59:00Z");
    const open = (): Promise<unknown> =>
      process.transaction((tx) => process.meter.open(tx, { sessionId, now }));
    const { sessionId: blocker } = await process.reserve({ now: at("2026-02-10T00:00:00Z") });
    await process.reserve({ now: at("2026-02-10T00:00:00Z"), reserveSeconds: 120, tailSeconds: 0 });
    expect(await open()).toEqual({ status: "no_room" });
    expect(await process.meter.current("2026-01" as never)).toMatchObject({ reservedSeconds: 120 });
    await process.transaction((tx) => process.meter.release(tx, { sessionId: blocker, now }));
    expect(await open()).toMatchObject({ status: "open", reservedSeconds: 300 });
    expect(await open()).toMatchObject({ status: "open", reservedSeconds: 300 });
    expect(await process.meter.current("2026-01" as never)).toMatchObject({ reservedSeconds: 60 });
    expect(await process.meter.current("2026-02" as never)).toMatchObject({ reservedSeconds: 360 });
  });
});

describe("the cap", () => {
  const actor = actorOf(randomUUID());

  it("is the admin's setting, then the environment's, then 36,000 s; 0 refuses everything", async () => {
    expect(await start(null).meter.current(null)).toMatchObject({ capSeconds: 36_000, capSource: "default" });
    const process = start(500);
    expect(await process.meter.current(null)).toMatchObject({ capSeconds: 500, capSource: "environment" });
    expect(await process.meter.setCap({ seconds: 0, expectedSeconds: 500, actor })).toMatchObject({
      capSeconds: 0,
      capSource: "setting",
      remainingSeconds: 0,
    });
    expect((await process.reserve({ now: clock.now() })).answer).toMatchObject({ capSeconds: 0 });
    expect(await process.meter.setCap({ seconds: null, expectedSeconds: 0, actor })).toMatchObject({
      capSeconds: 500,
      capSource: "environment",
    });
    expect((await process.reserve({ now: clock.now() })).answer.status).toBe("granted");
  });

  it("is not changed by somebody who saw another one, and leaves no trace then", async () => {
    const process = start(500);
    await expect(process.meter.setCap({ seconds: 9, expectedSeconds: 36_000, actor })).rejects.toMatchObject({
      code: "conflict.stale",
    });
    expect(await db.auditEntry.count()).toBe(0);
    expect(await db.event.count()).toBe(0);
    const both = await Promise.allSettled(
      [700, 800].map((seconds) => process.meter.setCap({ seconds, expectedSeconds: 500, actor })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it.each([Number.NaN, -1, 0.5, 2 ** 31])("of %d s is refused as input.invalid", async (seconds) => {
    await expect(start(500).meter.setCap({ seconds, expectedSeconds: 500, actor })).rejects.toMatchObject({
      code: "input.invalid",
    });
  });

  it("of 2^31-1 s is counted without an overflow", async () => {
    const process = start(2 ** 31 - 1);
    await openSession(process, clock.now());
    await db.usageCounter.updateMany({ data: { usedSeconds: { increment: 2_147_483_200 } } });
    expect((await process.reserve({ now: clock.now() })).answer.status).toBe("refused");
    await db.usageCounter.updateMany({ data: { usedSeconds: { decrement: 2_147_483_200 } } });
  });

  it("leaves an audit entry and an event with who, from what and to what", async () => {
    await start(500).meter.setCap({ seconds: 900, expectedSeconds: 500, actor });
    expect(await db.auditEntry.findMany()).toMatchObject([
      {
        actorId: actor.id,
        actorName: actor.name,
        action: "usage.setCap",
        data: { before: null, after: 900 },
      },
    ]);
    expect(await db.event.findMany()).toMatchObject([
      {
        type: "usage.cap_changed",
        projectId: null,
        data: { previousSeconds: 500, capSeconds: 900, capSource: "setting" },
      },
    ]);
  });

  it("lowered refuses new reservations and steps, and takes none back", async () => {
    const process = start(36_000);
    const now = clock.now();
    const sessionId = await openSession(process, now);
    const lowered = await process.meter.setCap({ seconds: 100, expectedSeconds: 36_000, actor });
    expect(lowered).toMatchObject({ reservedSeconds: 300, remainingSeconds: 0 });
    expect((await process.reserve({ now })).answer.status).toBe("refused");
    expect(await extend(process, sessionId, ahead(now, 150))).toEqual({ status: "no_room" });
    expect(await settle(process, sessionId, ahead(now, 170))).toMatchObject({ chargedSeconds: 290 });
  });

  it("waits for reservations under way, and those that come after it count with it", async () => {
    const process = start(600);
    const other = createMeterProcess({ db: database.open(), clock, environmentCapSeconds: 600 });
    let order: string[] = [];
    let change: Promise<unknown> = Promise.resolve();
    await process.transaction(async (tx) => {
      const ids = { sessionId: randomUUID(), runId: randomUUID(), projectId: randomUUID() };
      const rest = { changeId: randomUUID(), reserveSeconds: 300, tailSeconds: 120, now: clock.now() };
      await process.meter.reserve(tx, { ...ids, ...rest });
      change = other.meter
        .setCap({ seconds: 300, expectedSeconds: 600, actor })
        .then(() => (order = [...order, "cap changed"]));
      await waitForLockWaiter();
      order = [...order, "reserved"];
    });
    await change;
    expect(order).toEqual(["reserved", "cap changed"]);
    expect((await process.reserve({ now: clock.now() })).answer.status).toBe("refused");
  });

  async function waitForLockWaiter(): Promise<void> {
    for (;;) {
      const rows = await db.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      if (Number(rows[0]?.count) > 0) return;
    }
  }
});

describe("what is looked at", () => {
  it("lists sessions newest first, page by page, with what each was charged and in which month", async () => {
    const process = start(36_000);
    const opened: string[] = [];
    for (let n = 0; n < 5; n++) opened.unshift(await openSession(process, ahead(clock.now(), n)));
    await settle(process, opened[2] ?? "", ahead(clock.now(), 12));
    const first = await process.meter.sessions({ month: null, runId: null, after: null, limit: 3 });
    const rest = await process.meter.sessions({
      month: null,
      runId: null,
      after: first.at(-1)?.id ?? null,
      limit: 3,
    });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(opened);
    expect(first[2]).toMatchObject({
      state: "settled",
      wallSeconds: 10,
      tailSeconds: 120,
      chargedSeconds: 130,
      months: [{ month: "2026-01", reservedSeconds: 0, chargedSeconds: 130 }],
    });
    expect((await process.meter.listLiveSessions()).length).toBe(4);
  });

  it("sums a Run's and a Change's sessions, and keeps them when nothing else of them is left", async () => {
    const process = start(36_000);
    const [runId, projectId, changeId] = [randomUUID(), randomUUID(), randomUUID()];
    for (const seconds of [3, 4]) {
      const sessionId = randomUUID();
      const owner = { sessionId, runId, projectId, changeId };
      await process.transaction(async (tx) => {
        const rest = { reserveSeconds: 300, tailSeconds: 120, now: clock.now() };
        await process.meter.reserve(tx, { ...owner, ...rest });
        await process.meter.open(tx, { sessionId, now: clock.now() });
      });
      await settle(process, sessionId, ahead(clock.now(), seconds));
    }
    const sum = { wallSeconds: 7, chargedSeconds: 247, reservedSeconds: 0, isSettled: true };
    const none = { wallSeconds: 0, chargedSeconds: 0, reservedSeconds: 0, isSettled: true };
    const stranger = randomUUID();
    const byRun = await process.meter.secondsByRun([runId, stranger]);
    expect(byRun).toEqual(
      new Map([
        [runId, sum],
        [stranger, none],
      ]),
    );
    expect(await process.meter.secondsByChange([changeId])).toEqual(new Map([[changeId, sum]]));
  });

  it("counts a live session as if it ended now, says so, and settles to what it last said", async () => {
    const process = start(36_000);
    const [runId, projectId, changeId] = [randomUUID(), randomUUID(), randomUUID()];
    const begin = async (): Promise<string> => {
      const sessionId = randomUUID();
      const request = { sessionId, runId, projectId, changeId, reserveSeconds: 300, tailSeconds: 120 };
      await process.transaction((tx) => process.meter.reserve(tx, { ...request, now: clock.now() }));
      return sessionId;
    };
    const open = (sessionId: string) =>
      process.transaction((tx) => process.meter.open(tx, { sessionId, now: clock.now() }));
    const soFar = async () => {
      const ofRun = (await process.meter.secondsByRun([runId])).get(runId);
      expect((await process.meter.secondsByChange([changeId])).get(changeId)).toEqual(ofRun);
      return ofRun;
    };
    const first = await begin();
    expect(await soFar()).toEqual({
      wallSeconds: 0,
      chargedSeconds: 0,
      reservedSeconds: 300,
      isSettled: false,
    });
    await open(first);
    await clock.advance(10_500);
    const running = { wallSeconds: 11, chargedSeconds: 131, reservedSeconds: 300, isSettled: false };
    expect(await soFar()).toEqual(running);
    await settle(process, first, clock.now());
    expect(await soFar()).toEqual({ ...running, reservedSeconds: 0, isSettled: true });
    await open(await begin());
    await clock.advance(250_000);
    // Never more than it holds, whoever looked at it in time or not.
    expect(await soFar()).toEqual({
      wallSeconds: 261,
      chargedSeconds: 431,
      reservedSeconds: 300,
      isSettled: false,
    });
  });

  it("refuses a second live session of a Run, whatever the code above does", async () => {
    const process = start(36_000);
    const owner = { runId: randomUUID(), projectId: randomUUID(), changeId: randomUUID() };
    const rest = { reserveSeconds: 300, tailSeconds: 120, now: clock.now() };
    const reserve = (): Promise<unknown> =>
      process.transaction((tx) => process.meter.reserve(tx, { ...owner, ...rest, sessionId: randomUUID() }));
    await reserve();
    await expect(reserve()).rejects.toThrow();
    expect(await process.meter.current(null)).toMatchObject({ reservedSeconds: 300 });
  });
});

describe("the days of a month", () => {
  it("sum up to what the month has used; what ran over its edge counts on its last day", async () => {
    const process = start(36_000);
    const first = await openSession(process, at("2026-01-10T10:00:00Z"));
    await settle(process, first, at("2026-01-10T10:01:00Z"));
    const second = await openSession(process, at("2026-01-31T23:59:00Z"));
    await settle(process, second, at("2026-02-01T00:01:00Z"));
    const months = await process.meter.history({ before: null, limit: 10 });
    for (const { month, usedSeconds } of months) {
      const days = await process.meter.days(month);
      expect(days.reduce((sum, { chargedSeconds }) => sum + chargedSeconds, 0)).toBe(usedSeconds);
      expect(days.every(({ day }) => day.startsWith(month))).toBe(true);
    }
    expect(months.map(({ month }) => month)).toEqual(["2026-02", "2026-01"]);
  });
});

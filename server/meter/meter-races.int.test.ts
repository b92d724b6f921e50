import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "../platform/clock";
import type { Db } from "../platform/db";
import { actorOf } from "../testing/actor-of";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { raceForTheLast } from "../testing/meter-race";
import {
  clearMeter,
  createMeterProcess,
  ledgerFaults,
  readLedger,
  type MeterProcess,
} from "../testing/meter-world";

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());
beforeEach(() => clearMeter(db));

const createProcesses = (environmentCapSeconds: number): MeterProcess[] =>
  [database.open(), database.open()].map((pool) =>
    createMeterProcess({ db: pool, clock: createSystemClock(), environmentCapSeconds }),
  );

describe("the last 300 s of a month", () => {
  it.each([
    ["of which nothing was used", 300],
    ["of which the rest was used", 72_000],
  ])("%s go to exactly one of 2 to 50 reservations at once from two processes", async (_name, capSeconds) => {
    const processes = createProcesses(capSeconds);
    for (let round = 0; round < 30; round++) {
      const racerCount = 2 + ((round * 7) % 49);
      expect(await raceForTheLast({ db, processes, capSeconds, racerCount, round })).toEqual({
        grantedCount: 1,
        totalSeconds: capSeconds,
      });
    }
  });
});

it("many sessions that live at once, over the edge of a month, under a cap that is changed meanwhile, balance", async () => {
  const capSeconds = 9_000;
  const processes = createProcesses(capSeconds);
  const edgeMs = Date.UTC(2026, 1, 1);
  const live = async (process: MeterProcess, n: number): Promise<void> => {
    const at = (seconds: number): Date => new Date(edgeMs + (seconds - n) * 1000);
    const { sessionId, answer } = await process.reserve({
      now: at(-200),
      tailSeconds: n % 3 === 0 ? 600 : 120,
    });
    if (answer.status === "refused") return;
    const { meter, transaction } = process;
    const end = { sessionId, now: at(400), idleSince: null };
    const opening = await transaction((tx) => meter.open(tx, { sessionId, now: at(-150) }));
    if (opening.status === "no_room") {
      await transaction((tx) => meter.release(tx, end));
      return;
    }
    for (const seconds of [-20, 60, 200, 300]) {
      await transaction((tx) => meter.extend(tx, { sessionId, now: at(seconds), stepSeconds: 300 }));
    }
    const other = processes[(n + 1) % 2] ?? process;
    const ends = await Promise.all(
      [process, other].map((each) => each.transaction((tx) => each.meter.settle(tx, end))),
    );
    expect(ends[0]).toEqual(ends[1]);
  };
  const watch = { isOver: false, mostSeconds: 0 };
  const watching = (async () => {
    while (!watch.isOver) {
      for (const { used, reserved } of await readLedger(db)) {
        watch.mostSeconds = Math.max(watch.mostSeconds, used + reserved);
      }
    }
  })();
  const capChanges = (async () => {
    for (const [seconds, expectedSeconds] of [
      [5_000, capSeconds],
      [capSeconds, 5_000],
      [null, capSeconds],
    ] as const) {
      await processes[0]?.meter.setCap({ seconds, expectedSeconds, actor: actorOf(randomUUID()) });
    }
  })();
  await Promise.all([
    capChanges,
    ...Array.from({ length: 60 }, (_, n) => live(processes[n % 2] as MeterProcess, n)),
  ]);
  watch.isOver = true;
  await watching;
  const ledger = await readLedger(db);
  expect(ledgerFaults(ledger)).toEqual([]);
  expect(ledger.every(({ reserved }) => reserved === 0)).toBe(true);
  expect(watch.mostSeconds).toBeLessThanOrEqual(capSeconds);
  expect(watch.mostSeconds).toBeGreaterThan(0);
});

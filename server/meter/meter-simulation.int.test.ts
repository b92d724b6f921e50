import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Db, Transaction } from "../platform/db";
import { actorOf } from "../testing/actor-of";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createFakeClock } from "../testing/fake-clock";
import {
  clearMeter,
  createMeterProcess,
  createSeededRandom,
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

const historyCount = 8;
const stepCount = 150;
/** A failed history is played again with `TEST_SEED`; its seed stands in its name. */
const firstSeed = Number(process.env["TEST_SEED"] ?? randomInt(2 ** 31));
const actor = actorOf(randomUUID());

class Crash extends Error {}

/** A transaction in which the process dies before its statement number `survived + 1`. */
function crashAfter(tx: Transaction, survived: number): Transaction {
  let left = survived;
  const guard = (target: object, depth: number): unknown =>
    new Proxy(target, {
      get: (owner, name) => {
        const value: unknown = Reflect.get(owner, name);
        if (typeof value === "function") {
          return (...args: unknown[]): unknown => {
            if (left-- <= 0) throw new Crash();
            return (value as (...values: unknown[]) => unknown).apply(owner, args);
          };
        }
        return depth === 0 && typeof value === "object" && value !== null ? guard(value, 1) : value;
      },
    });
  return guard(tx, 0) as Transaction;
}

/** What the simulation remembers beside the tables. */
interface World {
  process: MeterProcess;
  random: () => number;
  /** The wall clock, which may jump. */
  nowMs: number;
  capSeconds: number;
  /** Every session that was granted, the most it ever held, and its end. */
  sessions: Map<string, { mostHeld: number; end: string | null }>;
}

const pick = <Item>(random: () => number, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** Runs one act in a transaction; sometimes the process dies between two of its statements. */
async function attempt(world: World, act: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const isDoomed = world.random() < 0.3;
  const survived = Math.floor(world.random() * 8);
  try {
    await world.process.transaction(async (tx) => {
      await act(isDoomed ? crashAfter(tx, survived) : tx);
      if (isDoomed && world.random() < 0.3) throw new Crash();
    });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

async function step(world: World): Promise<void> {
  const { process, random } = world;
  const now = new Date(world.nowMs);
  const live = await process.meter.listLiveSessions();
  const session = pick(random, live);
  const dice = random();
  if (dice < 0.3 || session === undefined) {
    const request = {
      sessionId: randomUUID(),
      runId: randomUUID(),
      projectId: randomUUID(),
      changeId: randomUUID(),
      reserveSeconds: pick(random, [300, 900]) ?? 300,
      tailSeconds: pick(random, [120, 600, 0]) ?? 120,
      now,
    };
    await attempt(world, (tx) => process.meter.reserve(tx, request));
  } else if (dice < 0.85) {
    const sessionId = session.id;
    const idleSince = random() < 0.4 ? new Date(world.nowMs - random() * 200_000) : null;
    await attempt(world, (tx) => {
      if (session.state === "reserved") {
        return random() < 0.8
          ? process.meter.open(tx, { sessionId, now })
          : process.meter.release(tx, { sessionId, now });
      }
      return random() < 0.7
        ? process.meter.extend(tx, { sessionId, now, stepSeconds: 300 })
        : process.meter.settle(tx, { sessionId, now, idleSince });
    });
  } else if (dice < 0.9) {
    const seconds = pick(random, [1_000, 3_000, 6_000, null]) ?? null;
    const changed = await process.meter.setCap({ seconds, expectedSeconds: world.capSeconds, actor });
    world.capSeconds = changed.capSeconds;
  }
  world.nowMs += random() * 60_000;
  // A clock that an operator or NTP moves, and one that was off for long.
  if (random() < 0.04) world.nowMs += (pick(random, [-3_600, -30, 600, 86_400]) ?? 0) * 1000;
}

/** The invariants of one step: what the tables say now, against what they said before it. */
async function check(world: World, before: Map<string, number>): Promise<Map<string, number>> {
  const ledger = await readLedger(db);
  expect(ledgerFaults(ledger)).toEqual([]);
  const totals = new Map(ledger.map(({ month, used, reserved }) => [month, used + reserved]));
  for (const [month, total] of totals) {
    // Only a reservation lets a month's total grow, and it fits under the cap in force.
    if (total > (before.get(month) ?? 0)) expect(total).toBeLessThanOrEqual(world.capSeconds);
  }
  const rows = await db.workspaceSession.findMany({ include: { months: true } });
  expect(rows.length).toBeGreaterThanOrEqual(world.sessions.size);
  for (const row of rows) {
    const known = world.sessions.get(row.id) ?? { mostHeld: 0, end: null };
    const held = row.months.reduce((sum, { reservedSeconds }) => sum + reservedSeconds, 0);
    const isEnded = row.state === "settled" || row.state === "released";
    const end = isEnded ? JSON.stringify(row) : null;
    // An end is final, and what it charged is no more than was held; nothing is negative.
    if (known.end !== null) expect(end).toBe(known.end);
    expect(row.chargedSeconds ?? 0).toBeLessThanOrEqual(Math.max(known.mostHeld, held));
    expect(row.wallSeconds ?? 0).toBeGreaterThanOrEqual(0);
    world.sessions.set(row.id, { mostHeld: Math.max(known.mostHeld, held), end });
  }
  return totals;
}

async function sweepAll(world: World): Promise<void> {
  const { meter, transaction } = world.process;
  const now = new Date(world.nowMs);
  for (const { id: sessionId } of await meter.listLiveSessions()) {
    await transaction((tx) => meter.settle(tx, { sessionId, now, idleSince: null }));
  }
}

it.each(Array.from({ length: historyCount }, (_, index) => firstSeed + index))(
  "charges and live reservations hold their bounds at each step of the random history with the seed %d",
  { timeout: 300_000 },
  async (seed) => {
    await clearMeter(db);
    const random = createSeededRandom(seed);
    // Most histories begin near the edge of a month.
    const start = pick(random, ["2026-01-31T23:20:00Z", "2028-02-29T23:40:00Z", "2026-12-31T23:00:00Z"]);
    const capSeconds = 6_000;
    const process = createMeterProcess({
      db,
      clock: createFakeClock(new Date(start ?? "")),
      environmentCapSeconds: capSeconds,
    });
    const nowMs = Date.parse(start ?? "");
    const world: World = { process, random, nowMs, capSeconds, sessions: new Map() };
    let totals = new Map<string, number>();
    for (let n = 0; n < stepCount; n++) {
      await step(world);
      totals = await check(world, totals);
    }
    await sweepAll(world);
    await check(world, totals);
    expect(await process.meter.listLiveSessions()).toEqual([]);
    expect([...world.sessions.values()].every(({ end }) => end !== null)).toBe(true);
    expect((await readLedger(db)).every(({ reserved }) => reserved === 0)).toBe(true);
  },
);

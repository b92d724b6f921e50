import { randomUUID } from "node:crypto";
import { createEvents } from "../events/service";
import { createEventStore } from "../events/store";
import { createMeter, type Meter } from "../meter/service";
import { createMeterStore, createUsageStore } from "../meter/store";
import type { Clock } from "../platform/clock";
import { createTransactions, type Db, type RunInTransaction } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createSettingsService } from "../settings/service";
import { createSettingStore } from "../settings/store";

/** The meter on a real database as one process has it, with a pool of its own. */
export interface MeterProcess {
  meter: Meter;
  transaction: RunInTransaction;
  /** Reserves for a new Run of a new Change; gives the session's id and the answer. */
  reserve(options: {
    now: Date;
    tailSeconds?: number;
    reserveSeconds?: number;
  }): Promise<{ sessionId: string; answer: Awaited<ReturnType<Meter["reserve"]>> }>;
}

export function createMeterProcess(options: {
  db: Db;
  clock: Clock;
  environmentCapSeconds: number | null;
}): MeterProcess {
  const { db, clock, environmentCapSeconds } = options;
  const ids = createSystemIds();
  const transaction = createTransactions(db);
  const meter = createMeter({
    usage: createUsageStore(db),
    store: createMeterStore,
    transaction,
    settings: createSettingsService({ store: createSettingStore(db), ids, environment: [] }),
    events: createEvents({ store: createEventStore(db), clock, ids }),
    clock,
    environmentCapSeconds,
  });
  return {
    meter,
    transaction,
    reserve: async ({ now, tailSeconds = 120, reserveSeconds = 300 }) => {
      const sessionId = randomUUID();
      const owner = { runId: randomUUID(), projectId: randomUUID(), changeId: randomUUID() };
      const request = { ...owner, sessionId, reserveSeconds, tailSeconds, now };
      return { sessionId, answer: await transaction((tx) => meter.reserve(tx, request)) };
    },
  };
}

/** Empties what the meter and its neighbours write, and leaves the cap to the environment. */
export async function clearMeter(db: Db): Promise<void> {
  await db.$executeRaw`
    TRUNCATE usage_counters, workspace_sessions, workspace_session_months, events, audit_entries`;
  await db.$executeRaw`UPDATE settings SET value = 'null'`;
}

/** What the tables say of the meter, read in one statement so that it stood together. */
export async function readLedger(db: Db): Promise<LedgerMonth[]> {
  return db.$queryRaw<LedgerMonth[]>`
    SELECT c.month, c.used_seconds AS used, c.reserved_seconds AS reserved,
      coalesce(sum(m.charged_seconds), 0)::int AS "chargedSum",
      coalesce(sum(m.reserved_seconds) FILTER (WHERE s.state IN ('reserved', 'open')), 0)::int AS "heldSum",
      coalesce(sum(m.reserved_seconds) FILTER (WHERE s.state NOT IN ('reserved', 'open')), 0)::int AS "heldByEnded"
    FROM usage_counters c
    LEFT JOIN workspace_session_months m ON m.month = c.month
    LEFT JOIN workspace_sessions s ON s.id = m.session_id
    GROUP BY c.counter, c.month, c.used_seconds, c.reserved_seconds ORDER BY c.month`;
}

interface LedgerMonth {
  month: string;
  used: number;
  reserved: number;
  chargedSum: number;
  heldSum: number;
  heldByEnded: number;
}

/** What is wrong with the ledger's sums, in words; empty when they hold. */
export function ledgerFaults(ledger: readonly LedgerMonth[]): string[] {
  return ledger.flatMap(({ month, used, reserved, chargedSum, heldSum, heldByEnded }) => [
    ...(used === chargedSum ? [] : [`${month}: used ${used}, but sessions were charged ${chargedSum}`]),
    ...(reserved === heldSum ? [] : [`${month}: reserved ${reserved}, but live sessions hold ${heldSum}`]),
    ...(heldByEnded === 0 ? [] : [`${month}: ended sessions still hold ${heldByEnded}`]),
    ...(used >= 0 && reserved >= 0 ? [] : [`${month}: a negative count`]),
  ]);
}

/** Numbers in [0, 1) that are the same for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

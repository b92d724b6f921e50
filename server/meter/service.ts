import type { Actor } from "../access/types";
import type { Clock } from "../platform/clock";
import { DomainError } from "../platform/errors";
import type { RunInTransaction, Transaction } from "../platform/db";
import type { Events } from "../events/service";
import type { SettingsService } from "../settings/service";
import { capOf, monthOf, secondsMax, settle } from "./rules";
import { createSessions, type Sessions } from "./sessions";
import {
  capSettingKey,
  type DayCharge,
  type MeterStore,
  type SessionPage,
  type SessionTally,
  type UsageStore,
} from "./store";
import type {
  Cap,
  Month,
  MonthTotal,
  MonthUsage,
  SecondsSoFar,
  SessionRecord,
  SessionSoFar,
  Settlement,
} from "./types";

/**
 * The monthly meter of sandbox seconds. Charges plus live reservations of a month never pass the cap that was in force
 * when they were reserved, and each reservation ends in exactly one settlement or release.
 */
export interface Meter extends Sessions {
  /** A month as it stands; null means the present one. */
  current(month: Month | null): Promise<MonthUsage>;
  /** Newest month first; `before` is the last month of the page before. */
  history(input: { before: Month | null; limit: number }): Promise<MonthTotal[]>;
  /** What a month charged, by day and Change. Their sum is the used seconds of the month. */
  days(month: Month): Promise<DayCharge[]>;
  /** Newest first, with a month those that have a share in it; `after` is the id of the last of the page before. */
  sessions(input: SessionPage): Promise<SessionSoFar[]>;
  /** Every session that still holds seconds, oldest first, for whoever must find those that nobody drives any more. */
  listLiveSessions(): Promise<SessionRecord[]>;
  /** What the sessions of each Run come to so far; zeros for a Run without one. */
  secondsByRun(runIds: readonly string[]): Promise<Map<string, SecondsSoFar>>;
  /** The same for each Change. */
  secondsByChange(changeIds: readonly string[]): Promise<Map<string, SecondsSoFar>>;
  /**
   * Sets the cap, or gives it back to the environment with null, with its audit entry and event. What is reserved
   * stays. Errors: `input.invalid`; `conflict.stale` when the cap in force is not `expectedSeconds`.
   */
  setCap(input: { seconds: number | null; expectedSeconds: number; actor: Actor }): Promise<MonthUsage>;
}

interface MeterDeps {
  usage: UsageStore;
  store: (tx: Transaction) => MeterStore;
  transaction: RunInTransaction;
  settings: SettingsService;
  events: Events;
  clock: Clock;
  /** `SANDBOX_MONTHLY_SECONDS`; null when it is unset. */
  environmentCapSeconds: number | null;
}

export function createMeter(deps: MeterDeps): Meter {
  const { usage, settings, events, clock, transaction, environmentCapSeconds } = deps;
  const current = async (month: Month | null): Promise<MonthUsage> => {
    const { capSettingSeconds, ...total } = await usage.readMonth(month ?? monthOf(clock.now()));
    const cap = capOf(capSettingSeconds, environmentCapSeconds);
    const left = cap.capSeconds - total.usedSeconds - total.reservedSeconds;
    return { ...total, ...cap, remainingSeconds: Math.max(0, left) };
  };
  const capFrom = (stored: unknown): Cap =>
    capOf(typeof stored === "number" ? stored : null, environmentCapSeconds);

  return {
    ...createSessions({ store: deps.store, environmentCapSeconds }),
    current,
    history: (input) => usage.listMonths(input),
    days: (month) => usage.listDays(month),
    sessions: async (input) => {
      const now = clock.now();
      return (await usage.listSessions(input)).map((session) => sessionSoFar(session, now));
    },
    listLiveSessions: () => usage.listLive(),
    secondsByRun: async (ids) => secondsSoFar(ids, await usage.tallyByRun(ids), clock.now()),
    secondsByChange: async (ids) => secondsSoFar(ids, await usage.tallyByChange(ids), clock.now()),
    setCap: async ({ seconds, expectedSeconds, actor }) => {
      if (seconds !== null && (!Number.isInteger(seconds) || seconds < 0 || seconds > secondsMax)) {
        throw new DomainError("input.invalid", `The cap is whole seconds from 0 to ${secondsMax}.`, {
          field: "seconds",
        });
      }
      const at = clock.now();
      await transaction(async (tx) => {
        await settings.set(tx, {
          key: capSettingKey,
          value: seconds,
          isExpected: (stored) => capFrom(stored).capSeconds === expectedSeconds,
          actor,
          action: "usage.setCap",
          at,
        });
        await events.append(tx, {
          type: "usage.cap_changed",
          at,
          projectId: null,
          changeId: null,
          data: { previousSeconds: expectedSeconds, ...capFrom(seconds) },
        });
      });
      return current(null);
    },
  };
}

function secondsSoFar(
  ids: readonly string[],
  tallies: readonly SessionTally[],
  now: Date,
): Map<string, SecondsSoFar> {
  const none: SecondsSoFar = { wallSeconds: 0, chargedSeconds: 0, reservedSeconds: 0, isSettled: true };
  const sums = new Map(ids.map((id) => [id, none]));
  for (const { ownerId, live, ...ended } of tallies) {
    const sum = sums.get(ownerId) ?? none;
    const { wallSeconds, chargedSeconds } = live === null ? ended : asIfEnded(live, now);
    sums.set(ownerId, {
      wallSeconds: sum.wallSeconds + wallSeconds,
      chargedSeconds: sum.chargedSeconds + chargedSeconds,
      reservedSeconds: sum.reservedSeconds + (live?.reservedSeconds ?? 0),
      isSettled: sum.isSettled && live === null,
    });
  }
  return sums;
}

function sessionSoFar(session: SessionRecord, now: Date): SessionSoFar {
  const { state, months } = session;
  if (state === "settled" || state === "released") {
    const { wallSeconds, chargedSeconds } = session;
    return {
      ...session,
      wallSeconds: wallSeconds ?? 0,
      chargedSeconds: chargedSeconds ?? 0,
      isSettled: true,
    };
  }
  const reservedSeconds = months.reduce((sum, share) => sum + share.reservedSeconds, 0);
  const { wallSeconds, chargedSeconds } = asIfEnded({ ...session, reservedSeconds }, now);
  return { ...session, wallSeconds, chargedSeconds, isSettled: false };
}

/** A session that has not opened yet would be released, and costs nothing. */
function asIfEnded(live: NonNullable<SessionTally["live"]>, now: Date): Settlement {
  const { openedAt } = live;
  if (openedAt === null) return { wallSeconds: 0, chargedSeconds: 0 };
  return settle({ ...live, openedAt }, { now, idleSince: null });
}

import type { Cap, Month, MonthSeconds } from "./types";

/** The cap when neither an admin nor the environment names one. */
export const defaultCapSeconds = 36_000;

/** How long before a reservation is used up the next step is asked for; a caller looks more often than this. */
const extendAheadSeconds = 30;

/** What the database's counters can hold. */
export const secondsMax = 2_147_483_647;

export function monthOf(at: Date): Month {
  return at.toISOString().slice(0, 7) as Month;
}

/** Null for anything but `YYYY-MM` with a month that exists. */
export function parseMonth(text: string): Month | null {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? (text as Month) : null;
}

/**
 * Says in which months `seconds` whole seconds from `start` on fall; a second belongs to the month in which it begins.
 * Shape: earliest first, no month with 0. The sum is `seconds`, and a shorter split is a beginning of a longer one.
 */
export function splitByMonth(start: Date, seconds: number): MonthSeconds[] {
  requireSeconds(seconds);
  const shares: MonthSeconds[] = [];
  for (let from = start.getTime(), left = seconds; left > 0;) {
    const toEdge = Math.ceil((nextMonthStartMs(from) - from) / 1000);
    const here = Math.min(left, toEdge);
    shares.push({ month: monthOf(new Date(from)), seconds: here });
    from += here * 1000;
    left -= here;
  }
  return shares;
}

/** How the seconds of each month change between two splits. Shape: earliest first, no month with 0. */
export function differences(before: readonly MonthSeconds[], after: readonly MonthSeconds[]): MonthSeconds[] {
  const changes = new Map<Month, number>();
  for (const { month, seconds } of after) changes.set(month, seconds);
  for (const { month, seconds } of before) changes.set(month, (changes.get(month) ?? 0) - seconds);
  return [...changes]
    .filter(([, seconds]) => seconds !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, seconds]) => ({ month, seconds }));
}

/** What an open reserves: room for the tail and for a minute of work, however long the tail is. */
export function firstReservationSeconds(reserveSeconds: number, tailSeconds: number): number {
  requireSeconds(reserveSeconds);
  requireSeconds(tailSeconds);
  return Math.max(reserveSeconds, tailSeconds + 60);
}

/** The time to reckon with: the clock's, unless it jumped back behind what was seen before. */
export function steadyTime(now: Date, lastSeenAt: Date): Date {
  return now < lastSeenAt ? lastSeenAt : now;
}

interface RunningSession {
  openedAt: Date;
  lastSeenAt: Date;
  tailSeconds: number;
  /** All that it holds, over all months. */
  reservedSeconds: number;
}

/**
 * Decides whether a running session needs another step. `overdue`: more than a step passed without a look at it, which
 * only a stopped server or a clock that jumped ahead can do; what was not reserved is not charged, so it ends.
 */
export function planExtension(
  session: RunningSession,
  now: Date,
  stepSeconds: number,
): { kind: "held"; extendAt: Date } | { kind: "due"; reservedSeconds: number } | { kind: "overdue" } {
  const { openedAt, tailSeconds, reservedSeconds } = session;
  const at = steadyTime(now, session.lastSeenAt);
  const extendAt = extendAtOf(session);
  if (at < extendAt) return { kind: "held", extendAt };
  const grown = reservedSeconds + stepSeconds;
  const isEnough = wholeSeconds(openedAt, at) + tailSeconds < grown;
  return isEnough ? { kind: "due", reservedSeconds: grown } : { kind: "overdue" };
}

/** When a session that holds so much must ask for more. */
export function extendAtOf(
  session: Pick<RunningSession, "openedAt" | "tailSeconds" | "reservedSeconds">,
): Date {
  const wallSeconds = Math.max(0, session.reservedSeconds - session.tailSeconds - extendAheadSeconds);
  return new Date(session.openedAt.getTime() + wallSeconds * 1000);
}

/**
 * What an open session is charged: its wall time in whole seconds, rounded up, plus its tail, and never more than it
 * holds. It ends at `idleSince` when it fell asleep then, else now. Wall time is never negative, whatever the clock did.
 */
export function settle(
  session: RunningSession,
  end: { now: Date; idleSince: Date | null },
): { endedAt: Date; wallSeconds: number; chargedSeconds: number; months: MonthSeconds[] } {
  const latest = steadyTime(end.now, session.lastSeenAt);
  const wanted = end.idleSince !== null && end.idleSince < latest ? end.idleSince : latest;
  const endedAt = wanted < session.openedAt ? session.openedAt : wanted;
  const wallSeconds = Math.min(wholeSeconds(session.openedAt, endedAt), session.reservedSeconds);
  const chargedSeconds = Math.min(wallSeconds + session.tailSeconds, session.reservedSeconds);
  return { endedAt, wallSeconds, chargedSeconds, months: splitByMonth(session.openedAt, chargedSeconds) };
}

/** The cap in force: the admin's setting, then the environment's, then 36,000. */
export function capOf(settingSeconds: number | null, environmentSeconds: number | null): Cap {
  if (settingSeconds !== null) return { capSeconds: settingSeconds, capSource: "setting" };
  if (environmentSeconds !== null) return { capSeconds: environmentSeconds, capSource: "environment" };
  return { capSeconds: defaultCapSeconds, capSource: "default" };
}

function wholeSeconds(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / 1000);
}

function nextMonthStartMs(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}

function requireSeconds(seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > secondsMax) {
    throw new Error(`${seconds} is not a number of seconds that the meter counts.`);
  }
}

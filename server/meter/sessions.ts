import type { Transaction } from "../platform/db";
import {
  capOf,
  differences,
  extendAtOf,
  firstReservationSeconds,
  planExtension,
  settle as settlementOf,
  splitByMonth,
  steadyTime,
} from "./rules";
import { canBecome, isLive } from "./state";
import type { MeterStore, NewSession } from "./store";
import type { Extension, Month, MonthSeconds, Reservation, SessionRecord, Settlement } from "./types";

/**
 * The metered time of workspaces. Everything here happens in the caller's transaction, so that it stands or falls with
 * what the caller writes beside it.
 * Concurrency: a session is held from the first look at it to the end of the transaction, and then the months, earliest
 * first. So one transaction deals with one session, and appends its events after it.
 */
export interface Sessions {
  /**
   * Reserves seconds for a session that is about to open, in the months in which they would fall from `now` on. A
   * refusal leaves nothing behind.
   */
  reserve(tx: Transaction, request: ReservationRequest): Promise<Reservation>;
  /**
   * Starts wall time. `no_room` when so much time passed since the reservation that its seconds fall in a month that
   * has no room for them; the session is then still to be released. Repeating it changes nothing.
   */
  open(tx: Transaction, input: { sessionId: string; now: Date }): Promise<Opening>;
  /**
   * Looks at an open session, and reserves another step when its wall time plus its tail comes near what it holds. To be
   * called at `extendAt`, or every few seconds. After `no_room` it holds what it held, and is to be settled at once.
   */
  extend(tx: Transaction, input: ExtensionRequest): Promise<Extension>;
  /**
   * Ends an open session and charges it: its wall time up to `idleSince` when it fell asleep then, else up to now, plus
   * its tail, never more than it holds; gives back the rest. One that never opened is released. Every repeat gives the
   * first one's figures.
   */
  settle(
    tx: Transaction,
    input: { sessionId: string; now: Date; idleSince: Date | null },
  ): Promise<Settlement>;
  /** Gives back what a session that never opened holds. Repeating it changes nothing. */
  release(tx: Transaction, input: { sessionId: string; now: Date }): Promise<void>;
}

export interface ReservationRequest {
  sessionId: string;
  runId: string;
  projectId: string;
  changeId: string;
  /** What an open reserves unless the tail asks for more: then the tail and 60 s. */
  reserveSeconds: number;
  tailSeconds: number;
  now: Date;
}

export interface ExtensionRequest {
  sessionId: string;
  now: Date;
  /** How many seconds are added when it is time. */
  stepSeconds: number;
}

export type Opening = { status: "open"; reservedSeconds: number; extendAt: Date } | { status: "no_room" };

interface SessionsDeps {
  store: (tx: Transaction) => MeterStore;
  environmentCapSeconds: number | null;
}

export function createSessions(deps: SessionsDeps): Sessions {
  const capWithoutSetting = capOf(null, deps.environmentCapSeconds).capSeconds;
  return {
    reserve: (tx, request) => reserve({ store: deps.store(tx), capWithoutSetting }, request),
    open: (tx, input) => open({ store: deps.store(tx), capWithoutSetting }, input),
    extend: (tx, input) => extend({ store: deps.store(tx), capWithoutSetting }, input),
    settle: (tx, input) => settle(deps.store(tx), input),
    release: (tx, input) => release(deps.store(tx), input),
  };
}

/** What the steps below work with: the tables in one transaction, and the cap that holds without an admin's. */
interface Counting {
  store: MeterStore;
  capWithoutSetting: number;
}

async function reserve(counting: Counting, request: ReservationRequest): Promise<Reservation> {
  const { store, capWithoutSetting } = counting;
  const { sessionId, runId, projectId, changeId, tailSeconds, now } = request;
  const seconds = firstReservationSeconds(request.reserveSeconds, tailSeconds);
  const shares = splitByMonth(now, seconds);
  const fullMonth = await applyChanges(counting, shares);
  if (fullMonth !== null) {
    const { capSettingSeconds, usedSeconds, reservedSeconds } = await store.readMonth(fullMonth);
    const capSeconds = capSettingSeconds ?? capWithoutSetting;
    return {
      status: "refused",
      reason: "meter_exhausted",
      month: fullMonth,
      capSeconds,
      usedSeconds,
      reservedSeconds,
    };
  }
  const session: NewSession = { id: sessionId, runId, projectId, changeId, tailSeconds, createdAt: now };
  await store.create(session);
  await writeHeld(store, sessionId, shares);
  return { status: "granted", reservedSeconds: seconds };
}

async function open(
  counting: Counting,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<Opening> {
  const session = await lock(counting.store, sessionId);
  const { tailSeconds } = session;
  const reservedSeconds = heldSeconds(session);
  if (session.state === "open") {
    const { openedAt } = requireOpen(session);
    return {
      status: "open",
      reservedSeconds,
      extendAt: extendAtOf({ openedAt, tailSeconds, reservedSeconds }),
    };
  }
  requireStep(session, "open");
  const openedAt = steadyTime(now, session.lastSeenAt);
  if (!(await hold(counting, session, splitByMonth(openedAt, reservedSeconds)))) return { status: "no_room" };
  await counting.store.update(sessionId, { state: "open", openedAt, lastSeenAt: openedAt });
  return {
    status: "open",
    reservedSeconds,
    extendAt: extendAtOf({ openedAt, tailSeconds, reservedSeconds }),
  };
}

async function extend(counting: Counting, request: ExtensionRequest): Promise<Extension> {
  const { sessionId, now, stepSeconds } = request;
  const session = await lock(counting.store, sessionId);
  if (!isLive(session.state)) return { status: "ended" };
  const { openedAt, tailSeconds } = requireOpen(session);
  const reservedSeconds = heldSeconds(session);
  const plan = planExtension({ ...session, openedAt, reservedSeconds }, now, stepSeconds);
  if (plan.kind === "overdue") return { status: "no_room" };
  await counting.store.update(sessionId, { lastSeenAt: steadyTime(now, session.lastSeenAt) });
  if (plan.kind === "held") return { status: "held", reservedSeconds, extendAt: plan.extendAt };
  const grown = plan.reservedSeconds;
  if (!(await hold(counting, session, splitByMonth(openedAt, grown)))) return { status: "no_room" };
  const extendAt = extendAtOf({ openedAt, tailSeconds, reservedSeconds: grown });
  return { status: "held", reservedSeconds: grown, extendAt };
}

async function settle(
  store: MeterStore,
  { sessionId, now, idleSince }: { sessionId: string; now: Date; idleSince: Date | null },
): Promise<Settlement> {
  const session = await lock(store, sessionId);
  if (session.state === "reserved")
    await end(store, session, { state: "released", endedAt: now, months: [] });
  if (session.state !== "open") {
    return { wallSeconds: session.wallSeconds ?? 0, chargedSeconds: session.chargedSeconds ?? 0 };
  }
  const { openedAt } = requireOpen(session);
  const { endedAt, wallSeconds, chargedSeconds, months } = settlementOf(
    { ...session, openedAt, reservedSeconds: heldSeconds(session) },
    { now, idleSince },
  );
  await end(store, session, { state: "settled", endedAt, wallSeconds, chargedSeconds, months });
  return { wallSeconds, chargedSeconds };
}

async function release(
  store: MeterStore,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<void> {
  const session = await lock(store, sessionId);
  if (session.state === "released") return;
  await end(store, session, { state: "released", endedAt: now, months: [] });
}

interface SessionEnd {
  state: "settled" | "released";
  endedAt: Date;
  wallSeconds?: number;
  chargedSeconds?: number;
  months: readonly MonthSeconds[];
}

/** Turns what a session holds into what it is charged, month by month, and ends it. */
async function end(
  store: MeterStore,
  session: SessionRecord,
  { months, ...change }: SessionEnd,
): Promise<void> {
  requireStep(session, change.state);
  for (const { month, reservedSeconds } of session.months) {
    const chargedSeconds = months.find((share) => share.month === month)?.seconds ?? 0;
    await store.charge(month, reservedSeconds, chargedSeconds);
    await store.setMonth(session.id, month, { reservedSeconds: 0, chargedSeconds });
  }
  await store.update(session.id, change);
}

/** Makes a session hold exactly these shares; false, with nothing changed, when a month has no room for its own. */
async function hold(
  counting: Counting,
  session: SessionRecord,
  shares: readonly MonthSeconds[],
): Promise<boolean> {
  const held = session.months.map(({ month, reservedSeconds }) => ({ month, seconds: reservedSeconds }));
  const changes = differences(held, shares);
  if ((await applyChanges(counting, changes)) !== null) return false;
  await writeHeld(
    counting.store,
    session.id,
    changes.map(({ month }) => ({
      month,
      seconds: shares.find((share) => share.month === month)?.seconds ?? 0,
    })),
  );
  return true;
}

/** Applies changes to the counters, earliest month first; gives the month that had no room, with all undone. */
async function applyChanges(
  { store, capWithoutSetting }: Counting,
  changes: readonly MonthSeconds[],
): Promise<Month | null> {
  const done: MonthSeconds[] = [];
  for (const change of changes) {
    if (change.seconds < 0) await store.adjust(change.month, change.seconds);
    else if (!(await store.reserve(change.month, change.seconds, capWithoutSetting))) {
      // These months are held by this transaction, so what goes back to them is still free.
      for (const { month, seconds } of done) await store.adjust(month, -seconds);
      return change.month;
    }
    done.push(change);
  }
  return null;
}

async function writeHeld(
  store: MeterStore,
  sessionId: string,
  shares: readonly MonthSeconds[],
): Promise<void> {
  for (const { month, seconds } of shares) {
    await store.setMonth(sessionId, month, { reservedSeconds: seconds, chargedSeconds: 0 });
  }
}

async function lock(store: MeterStore, sessionId: string): Promise<SessionRecord> {
  const session = await store.lock(sessionId);
  if (session === null) throw new Error(`There is no session ${sessionId}.`);
  return session;
}

function requireStep(session: SessionRecord, to: SessionRecord["state"]): void {
  if (!canBecome(session.state, to)) {
    throw new Error(`The session ${session.id} is ${session.state} and cannot become ${to}.`);
  }
}

function requireOpen(session: SessionRecord): SessionRecord & { openedAt: Date } {
  if (session.state !== "open" || session.openedAt === null) {
    throw new Error(`The session ${session.id} is ${session.state}, not open.`);
  }
  return { ...session, openedAt: session.openedAt };
}

function heldSeconds(session: SessionRecord): number {
  return session.months.reduce((sum, { reservedSeconds }) => sum + reservedSeconds, 0);
}

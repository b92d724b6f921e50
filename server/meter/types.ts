import type { Branded } from "../platform/types";

/** `YYYY-MM`, in UTC. Made by `monthOf` and `parseMonth` only. */
export type Month = Branded<string, "Month">;

/** `reserved → open → settled`, or `reserved → released`. */
export type SessionState = "reserved" | "open" | "settled" | "released";

/** Whole seconds in one month. */
export interface MonthSeconds {
  month: Month;
  seconds: number;
}

/** The metered time of an open workspace. Its owner is a Run; the meter knows of Runs only that they have ids. */
export interface SessionRecord {
  id: string;
  runId: string;
  projectId: string;
  changeId: string;
  state: SessionState;
  tailSeconds: number;
  createdAt: Date;
  openedAt: Date | null;
  /** The latest time at which the meter looked at it. */
  lastSeenAt: Date;
  endedAt: Date | null;
  wallSeconds: number | null;
  chargedSeconds: number | null;
  /** Earliest first: what it holds while it lives, what it was charged when it ended. */
  months: readonly { month: Month; reservedSeconds: number; chargedSeconds: number }[];
}

/** A reservation is granted whole or not at all. The figures of a refusal are those that it was decided on. */
export type Reservation =
  | { status: "granted"; reservedSeconds: number }
  | {
      status: "refused";
      reason: "meter_exhausted";
      month: Month;
      capSeconds: number;
      usedSeconds: number;
      reservedSeconds: number;
    };

/** Whether a session may go on, and when to ask at the latest. */
export type Extension =
  | { status: "held"; reservedSeconds: number; extendAt: Date }
  /** End it now: there is still time to settle within what it holds. */
  | { status: "no_room" }
  /** Somebody else ended it. */
  | { status: "ended" };

/** What a session came to. Both are 0 for one that was released. */
export interface Settlement {
  wallSeconds: number;
  chargedSeconds: number;
}

/**
 * What an owner's sessions come to: those that ended as they were settled, and a live one as it would be settled now.
 * The estimate of a live one is no promise: asleep it is charged up to its last activity only.
 */
export interface SecondsSoFar extends Settlement {
  /** What the live session holds; 0 without one. */
  reservedSeconds: number;
  /** False while a live session is counted: the figures are then an estimate that grows with time. */
  isSettled: boolean;
}

/** A session with what it comes to: as it was settled, or, while it lives, as it would be settled now. */
export interface SessionSoFar extends Omit<SessionRecord, "wallSeconds" | "chargedSeconds">, Settlement {
  isSettled: boolean;
}

export interface Cap {
  capSeconds: number;
  capSource: "setting" | "environment" | "default";
}

/** A month as it stands. Remaining is never negative, though a cap may be lowered below what is used. */
export interface MonthUsage extends Cap {
  month: Month;
  usedSeconds: number;
  reservedSeconds: number;
  remainingSeconds: number;
}

export interface MonthTotal {
  month: Month;
  usedSeconds: number;
  reservedSeconds: number;
}

import { Prisma } from "../../generated/prisma/client";
import type { DbOrTransaction, Transaction } from "../platform/db";
import type { Month, MonthTotal, SessionRecord, SessionState } from "./types";

/** The counter of everything that runs in a sandbox. */
const counter = "sandbox-seconds";

/** The setting that an admin's cap is stored under. Its row always stands; null in it leaves the cap to the environment. */
export const capSettingKey = "sandbox_monthly_seconds";

/** The counters and sessions, inside one transaction. Whoever changes several months takes them earliest first. */
export interface MeterStore extends Pick<UsageStore, "readMonth"> {
  /**
   * Reserves seconds in a month if they fit under the cap, in one statement, and says whether they did. An admin who
   * changes the cap meanwhile waits for this transaction, or this statement for him: it never counts with an old cap.
   */
  reserve(month: Month, seconds: number, capWithoutSetting: number): Promise<boolean>;
  /** Changes what is reserved by what the caller's own session holds; negative gives back. */
  adjust(month: Month, seconds: number): Promise<void>;
  /** Turns what a session held in a month into what it is charged there. */
  charge(month: Month, heldSeconds: number, chargedSeconds: number): Promise<void>;
  create(session: NewSession): Promise<void>;
  /** The session, held until the transaction ends; null when there is none. */
  lock(id: string): Promise<SessionRecord | null>;
  update(id: string, change: SessionChange): Promise<void>;
  /** Sets what a session holds or was charged in a month. */
  setMonth(
    id: string,
    month: Month,
    seconds: { reservedSeconds: number; chargedSeconds: number },
  ): Promise<void>;
}

export type NewSession = Pick<
  SessionRecord,
  "id" | "runId" | "projectId" | "changeId" | "tailSeconds" | "createdAt"
>;

type SessionChange = Partial<
  Pick<SessionRecord, "openedAt" | "lastSeenAt" | "endedAt" | "wallSeconds" | "chargedSeconds">
> & { state?: SessionState };

/** Which sessions are looked at; null for those of every month, every Run. */
export interface SessionPage {
  month: Month | null;
  runId: string | null;
  after: string | null;
  limit: number;
}

/** What is only looked at. */
export interface UsageStore {
  /** The admin's cap and a month's totals, as they stood together. */
  readMonth(month: Month): Promise<MonthTotal & { capSettingSeconds: number | null }>;
  /** Newest month first; `before` is the last month of the page before. */
  listMonths(input: { before: Month | null; limit: number }): Promise<MonthTotal[]>;
  /** Newest first; `after` is the id of the last session of the page before. */
  listSessions(input: SessionPage): Promise<SessionRecord[]>;
  listLive(): Promise<SessionRecord[]>;
  /** What a month charged, by the UTC day on which a session ended, or the last one of the month, and by Change. */
  listDays(month: Month): Promise<DayCharge[]>;
  /** The sessions of each owner as they stood together: the ended ones summed up, each live one by itself. */
  tallyByRun(runIds: readonly string[]): Promise<SessionTally[]>;
  tallyByChange(changeIds: readonly string[]): Promise<SessionTally[]>;
}

/** What the sessions of one Change that ended on one day were charged in the month. `day` is `YYYY-MM-DD`, UTC. */
export interface DayCharge {
  day: string;
  projectId: string;
  changeId: string;
  chargedSeconds: number;
}

/** The ended sessions of one owner (`live` is null), or one live session of it. */
export interface SessionTally {
  ownerId: string;
  wallSeconds: number;
  chargedSeconds: number;
  live: (Pick<SessionRecord, "openedAt" | "lastSeenAt" | "tailSeconds"> & { reservedSeconds: number }) | null;
}

export function createMeterStore(tx: Transaction): MeterStore {
  return {
    reserve: async (month, seconds, capWithoutSetting) => {
      const rowCount = await tx.$executeRaw`
        WITH cap AS (
          SELECT CASE jsonb_typeof(value) WHEN 'number' THEN value::bigint ELSE ${capWithoutSetting}::bigint END AS seconds
          FROM settings WHERE key = ${capSettingKey} FOR SHARE
        )
        INSERT INTO usage_counters AS counted (counter, month, reserved_seconds)
        SELECT ${counter}, ${month}, ${seconds}::int FROM cap WHERE ${seconds}::int <= cap.seconds
        ON CONFLICT (counter, month) DO UPDATE
        SET reserved_seconds = counted.reserved_seconds + excluded.reserved_seconds
        WHERE counted.used_seconds::bigint + counted.reserved_seconds + excluded.reserved_seconds
          <= (SELECT seconds FROM cap)`;
      return rowCount === 1;
    },
    adjust: async (month, seconds) => {
      const { count } = await tx.usageCounter.updateMany({
        where: { counter, month },
        data: { reservedSeconds: { increment: seconds } },
      });
      requireOne(count, month);
    },
    charge: async (month, heldSeconds, chargedSeconds) => {
      const { count } = await tx.usageCounter.updateMany({
        where: { counter, month },
        data: { usedSeconds: { increment: chargedSeconds }, reservedSeconds: { decrement: heldSeconds } },
      });
      requireOne(count, month);
    },
    create: async (session) => {
      await tx.workspaceSession.create({
        data: { ...session, state: "reserved", lastSeenAt: session.createdAt },
        select: { id: true },
      });
    },
    lock: async (id) => {
      await tx.$queryRaw`SELECT id FROM workspace_sessions WHERE id = ${id}::uuid FOR UPDATE`;
      const row = await tx.workspaceSession.findUnique({ where: { id }, include: withMonths });
      return row === null ? null : toSession(row);
    },
    update: async (id, change) => {
      await tx.workspaceSession.update({ where: { id }, data: change, select: { id: true } });
    },
    readMonth: (month) => createUsageStore(tx).readMonth(month),
    setMonth: async (sessionId, month, seconds) => {
      await tx.sessionMonth.upsert({
        where: { sessionId_month: { sessionId, month } },
        create: { sessionId, month, ...seconds },
        update: seconds,
        select: { month: true },
      });
    },
  };
}

export function createUsageStore(db: DbOrTransaction): UsageStore {
  return {
    readMonth: async (month) => {
      const rows = await db.$queryRaw<
        { cap: bigint | null; used_seconds: number | null; reserved_seconds: number | null }[]
      >`
        SELECT (SELECT value::bigint FROM settings WHERE key = ${capSettingKey} AND jsonb_typeof(value) = 'number') AS cap,
          used_seconds, reserved_seconds
        FROM (SELECT 1) AS always LEFT JOIN usage_counters ON counter = ${counter} AND month = ${month}`;
      const row = rows[0];
      return {
        month,
        capSettingSeconds: row?.cap === null || row?.cap === undefined ? null : Number(row.cap),
        usedSeconds: row?.used_seconds ?? 0,
        reservedSeconds: row?.reserved_seconds ?? 0,
      };
    },
    listMonths: async ({ before, limit }) => {
      const rows = await db.usageCounter.findMany({
        where: { counter, ...(before === null ? {} : { month: { lt: before } }) },
        orderBy: { month: "desc" },
        take: limit,
        select: { month: true, usedSeconds: true, reservedSeconds: true },
      });
      return rows.map((row) => ({ ...row, month: row.month as Month }));
    },
    listSessions: async ({ month, runId, after, limit }) => {
      const rows = await db.workspaceSession.findMany({
        where: {
          ...(month === null ? {} : { months: { some: { month } } }),
          ...(runId === null ? {} : { runId }),
        },
        include: withMonths,
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      });
      return rows.map(toSession);
    },
    listLive: async () => {
      const rows = await db.workspaceSession.findMany({
        include: withMonths,
        where: { state: { in: ["reserved", "open"] } },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      });
      return rows.map(toSession);
    },
    listDays: (month) => db.$queryRaw<DayCharge[]>`
        SELECT to_char(LEAST(
                 COALESCE(s.ended_at, s.created_at) AT TIME ZONE 'UTC',
                 to_date(m.month, 'YYYY-MM') + INTERVAL '1 month' - INTERVAL '1 day'), 'YYYY-MM-DD') AS day,
               s.project_id AS "projectId", s.change_id AS "changeId",
               SUM(m.charged_seconds)::int AS "chargedSeconds"
        FROM workspace_session_months m JOIN workspace_sessions s ON s.id = m.session_id
        WHERE m.month = ${month} AND m.charged_seconds > 0
        GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 3`,
    tallyByRun: (runIds) => tally(db, Prisma.sql`run_id`, runIds),
    tallyByChange: (changeIds) => tally(db, Prisma.sql`change_id`, changeIds),
  };
}

async function tally(
  db: DbOrTransaction,
  owner: Prisma.Sql,
  ids: readonly string[],
): Promise<SessionTally[]> {
  const rows = await db.$queryRaw<
    {
      owner_id: string;
      is_live: boolean;
      wall_seconds: number;
      charged_seconds: number;
      opened_at: Date | null;
      last_seen_at: Date;
      tail_seconds: number;
      reserved_seconds: number;
    }[]
  >`
    SELECT ${owner} AS owner_id, state IN ('reserved', 'open') AS is_live,
      coalesce(sum(wall_seconds), 0)::int AS wall_seconds, coalesce(sum(charged_seconds), 0)::int AS charged_seconds,
      max(opened_at) AS opened_at, max(last_seen_at) AS last_seen_at, max(tail_seconds) AS tail_seconds,
      coalesce(sum(held.seconds), 0)::int AS reserved_seconds
    FROM workspace_sessions CROSS JOIN LATERAL (
      SELECT sum(reserved_seconds) AS seconds FROM workspace_session_months WHERE session_id = id
    ) AS held
    WHERE ${owner} = ANY(${ids}::uuid[])
    GROUP BY owner_id, is_live, CASE WHEN state IN ('reserved', 'open') THEN id END`;
  return rows.map((row) => ({
    ownerId: row.owner_id,
    wallSeconds: row.wall_seconds,
    chargedSeconds: row.charged_seconds,
    live: row.is_live
      ? {
          openedAt: row.opened_at,
          lastSeenAt: row.last_seen_at,
          tailSeconds: row.tail_seconds,
          reservedSeconds: row.reserved_seconds,
        }
      : null,
  }));
}

const withMonths = {
  months: {
    orderBy: { month: "asc" },
    select: { month: true, reservedSeconds: true, chargedSeconds: true },
  },
} as const;

type SessionRow = Omit<SessionRecord, "months"> & {
  months: { month: string; reservedSeconds: number; chargedSeconds: number }[];
};

function toSession(row: SessionRow): SessionRecord {
  return { ...row, months: row.months.map((share) => ({ ...share, month: share.month as Month })) };
}

function requireOne(count: number, month: Month): void {
  if (count !== 1)
    throw new Error(`The meter has no counter for ${month}, though a session holds seconds in it.`);
}

import type { Prisma } from "../../generated/prisma/client";
import type { DbOrTransaction, Transaction } from "../platform/db";
import type { JsonObject } from "../platform/storable-text";
import type { NewEvent, PlacedEvent } from "./types";

/** Held from the giving of a position until the commit: positions are then in the order of commits. */
const orderLockKey = 7_272_002;

/** Which events a reader may see. Null means not restricted; a Change's reader sees the whole Project's events too. */
export interface EventReach {
  projectId: string | null;
  changeId: string | null;
}

/** The events table. */
export interface EventStore {
  append(tx: Transaction, event: NewEvent & { id: string }): Promise<void>;
  /** Events after a position, in order; newest first, those before it. Null types means all. */
  list(
    input: EventReach & {
      after: bigint | null;
      newestFirst?: boolean;
      types: readonly string[] | null;
      limit: number;
    },
  ): Promise<PlacedEvent[]>;
  /** Null when there is no such event within reach. */
  findPosition(id: string, reach: EventReach): Promise<bigint | null>;
  /** The position of the last event, 0 when there is none. */
  lastPosition(): Promise<bigint>;
}

export function createEventStore(db: DbOrTransaction): EventStore {
  return {
    append: async (tx, event) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${orderLockKey}::bigint)`;
      await tx.event.create({ data: event, select: { id: true } });
    },
    list: async ({ after, newestFirst = false, types, limit, ...reach }) => {
      const rows = await db.event.findMany({
        where: {
          ...(after === null ? {} : { position: newestFirst ? { lt: after } : { gt: after } }),
          ...(types === null ? {} : { type: { in: [...types] } }),
          ...within(reach),
        },
        orderBy: { position: newestFirst ? "desc" : "asc" },
        take: limit,
      });
      return rows.map((row) => ({ ...row, data: row.data as JsonObject }));
    },
    findPosition: async (id, reach) => {
      const row = await db.event.findFirst({
        where: { id, ...within(reach) },
        select: { position: true },
      });
      return row?.position ?? null;
    },
    lastPosition: async () => {
      const { _max } = await db.event.aggregate({ _max: { position: true } });
      return _max.position ?? 0n;
    },
  };
}

function within({ projectId, changeId }: EventReach): Prisma.EventWhereInput {
  return {
    ...(projectId === null ? {} : { projectId }),
    ...(changeId === null ? {} : { OR: [{ changeId }, { changeId: null }] }),
  };
}

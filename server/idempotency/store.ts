import { Prisma } from "../../generated/prisma/client";
import type { Db } from "../platform/db";
import type { JsonObject } from "../platform/storable-text";
import type { CallKey, CallRecord } from "./types";

/** The table of calls that may be repeated. Every change names the owner that it expects, so a lost one changes nothing. */
export interface CallStore {
  /** False when the key is taken. */
  begin(call: CallKey & Omit<CallRecord, "result" | "beat">): Promise<boolean>;
  find(key: CallKey): Promise<CallRecord | null>;
  /** Says that the owner lives. */
  beat(id: string, ownerId: string): Promise<void>;
  finish(id: string, ownerId: string, result: JsonObject): Promise<void>;
  /** Frees the key of a call that is under way, if it still stands at this beat of this owner; null means at any. */
  drop(id: string, ownerId: string, beat: number | null): Promise<void>;
  /** Frees the keys of finished calls. */
  removeFinished(where: { before: Date; id: string | null }): Promise<void>;
  listUnfinished(): Promise<CallRecord[]>;
}

const shown = {
  id: true,
  bodyHash: true,
  result: true,
  createdAt: true,
  ownerId: true,
  beat: true,
} as const;

export function createCallStore(db: Db): CallStore {
  return {
    begin: async (call) => {
      const { count } = await db.idempotencyKey.createMany({ data: [call], skipDuplicates: true });
      return count === 1;
    },
    find: (key) =>
      db.idempotencyKey.findUnique({
        where: { actorId_procedure_scopeId_key: key },
        select: shown,
      }),
    beat: async (id, ownerId) => {
      await db.idempotencyKey.updateMany({ where: { id, ownerId }, data: { beat: { increment: 1 } } });
    },
    finish: async (id, ownerId, result) => {
      await db.idempotencyKey.updateMany({
        where: { id, ownerId },
        data: { result },
      });
    },
    drop: async (id, ownerId, beat) => {
      await db.idempotencyKey.deleteMany({
        where: { id, ownerId, result: { equals: Prisma.DbNull }, ...(beat === null ? {} : { beat }) },
      });
    },
    removeFinished: async ({ before, id }) => {
      await db.idempotencyKey.deleteMany({
        where: {
          createdAt: { lt: before },
          result: { not: Prisma.DbNull },
          ...(id === null ? {} : { id }),
        },
      });
    },
    listUnfinished: () =>
      db.idempotencyKey.findMany({ where: { result: { equals: Prisma.DbNull } }, select: shown }),
  };
}

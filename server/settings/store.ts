import { Prisma } from "../../generated/prisma/client";
import type { Actor } from "../access/types";
import type { DbOrTransaction, Transaction } from "../platform/db";
import type { JsonObject, JsonValue } from "../platform/storable-text";
import type { AuditRecord } from "./types";

/** The settings that admins changed, and the list of who did what. */
export interface SettingStore {
  /** Null when it was never changed, or was given back to the environment. */
  find(key: string): Promise<JsonValue>;
  /** All that is stored, by key. */
  list(): Promise<Map<string, JsonValue>>;
  /** The value of one, and nobody else changes it until the transaction ends. */
  lock(tx: Transaction, key: string): Promise<JsonValue>;
  write(tx: Transaction, setting: { key: string; value: JsonValue; at: Date; by: string }): Promise<void>;
  appendAudit(tx: Transaction, entry: AuditRecord): Promise<void>;
  /** Newest first; `after` is the id of the last entry of the page before. */
  listAudit(input: { subject: string | null; after: string | null; limit: number }): Promise<AuditRecord[]>;
}

export function createSettingStore(db: DbOrTransaction): SettingStore {
  return {
    find: async (key) => {
      const row = await db.setting.findUnique({ where: { key }, select: { value: true } });
      return (row?.value ?? null) as JsonValue;
    },
    list: async () => {
      const rows = await db.setting.findMany({ select: { key: true, value: true } });
      return new Map(rows.map(({ key, value }) => [key, value as JsonValue]));
    },
    lock: async (tx, key) => {
      // A row to hold has to be there first.
      await tx.$executeRaw`
        INSERT INTO settings (key, value, updated_at) VALUES (${key}, 'null', now()) ON CONFLICT (key) DO NOTHING`;
      const rows = await tx.$queryRaw<{ value: JsonValue }[]>`
        SELECT value FROM settings WHERE key = ${key} FOR UPDATE`;
      return rows[0]?.value ?? null;
    },
    write: async (tx, { key, value, at, by }) => {
      await tx.setting.update({
        where: { key },
        data: { value: value ?? Prisma.JsonNull, updatedAt: at, updatedBy: by },
      });
    },
    appendAudit: async (tx, entry) => {
      const { actor, ...rest } = entry;
      const acted = {
        actorId: actor?.id ?? null,
        actorKind: actor?.kind ?? null,
        actorName: actor?.name ?? null,
      };
      await tx.auditEntry.create({ data: { ...rest, ...acted }, select: { id: true } });
    },
    listAudit: async ({ subject, after, limit }) => {
      const rows = await db.auditEntry.findMany({
        where: subject === null ? {} : { subject },
        orderBy: [{ at: "desc" }, { id: "desc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      });
      return rows.map(({ actorId, actorKind, actorName, ...row }) => ({
        ...row,
        actor: actorOf(actorId, actorKind, actorName),
        data: row.data as JsonObject,
      }));
    },
  };
}

function actorOf(id: string | null, kind: string | null, name: string | null): Actor | null {
  return id === null || name === null ? null : { id, kind: kind === "person" ? "person" : "token", name };
}

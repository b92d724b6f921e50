import { Prisma } from "../../generated/prisma/client";
import type { Actor } from "../access/types";
import type { DbOrTransaction, Transaction } from "../platform/db";
import { toStorableText, type JsonObject, type JsonValue } from "../platform/storable-text";
import type { AuditPage, AuditRecord } from "./types";

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
  /** Newest first. */
  listAudit(input: AuditPage): Promise<AuditRecord[]>;
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
    listAudit: async (page) => {
      const rows = await db.auditEntry.findMany({
        where: { id: { in: await auditIds(db, page) } },
        orderBy: [{ at: "desc" }, { id: "desc" }],
      });
      return rows.map(({ actorId, actorKind, actorName, ...row }) => ({
        ...row,
        actor: actorOf(actorId, actorKind, actorName),
        data: row.data as JsonObject,
      }));
    },
  };
}

async function auditIds(db: DbOrTransaction, { subject, text, after, limit }: AuditPage): Promise<string[]> {
  const isAbout = subject === null ? Prisma.sql`TRUE` : Prisma.sql`subject = ${toStorableText(subject)}`;
  const holds =
    text === null
      ? Prisma.sql`TRUE`
      : Prisma.sql`strpos(
          lower(concat_ws(chr(10), coalesce(actor_name, 'Rhumbatron'), action, subject, id::text, data::text)),
          lower(${toStorableText(text)})) > 0`;
  const follows =
    after === null
      ? Prisma.sql`TRUE`
      : Prisma.sql`(at, id) < (SELECT at, id FROM audit_entries WHERE id = ${after}::uuid)`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM audit_entries WHERE ${isAbout} AND ${holds} AND ${follows}
    ORDER BY at DESC, id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

function actorOf(id: string | null, kind: string | null, name: string | null): Actor | null {
  return id === null || name === null ? null : { id, kind: kind === "person" ? "person" : "token", name };
}

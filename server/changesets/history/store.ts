import type { DbOrTransaction, Transaction } from "../../platform/db";
import type { Ids } from "../../platform/ids";
import { toStorableJson, type JsonObject } from "../../platform/storable-text";
import { toActor, toActorColumns } from "../actor-columns";
import type { ChangeSetRecord } from "../types";
import type { HistoryEntry, HistoryKind } from "./types";

/** What happened to ChangeSets. Entries are only added. */
export interface HistoryStore {
  /** Oldest first; `after` is the id of the last entry of the page before. */
  list(input: { seriesId: string; after: string | null; limit: number }): Promise<HistoryEntry[]>;
}

/** Notes what happens to ChangeSets, in the transaction in which it happens. */
export interface HistoryWriter {
  append(
    tx: Transaction,
    changeSet: Pick<ChangeSetRecord, "id" | "seriesId" | "version">,
    entry: Pick<HistoryEntry, "at" | "actor" | "what" | "data">,
  ): Promise<void>;
}

export function createHistoryStore(db: DbOrTransaction): HistoryStore {
  return {
    list: async ({ seriesId, after, limit }) => {
      const last =
        after === null
          ? null
          : await db.changeSetEntry.findFirst({
              where: { id: after, seriesId },
              select: { position: true },
            });
      if (after !== null && last === null) return [];
      const rows = await db.changeSetEntry.findMany({
        where: { seriesId, ...(last === null ? {} : { position: { gt: last.position } }) },
        orderBy: { position: "asc" },
        take: limit,
      });
      return rows.map(({ actorId, actorKind, actorName, position: _position, ...row }) => ({
        ...row,
        actor:
          actorId === null || actorKind === null || actorName === null
            ? null
            : toActor({ actorId, actorKind, actorName }),
        what: row.what as HistoryKind,
        data: row.data as JsonObject,
      }));
    },
  };
}

export function createHistoryWriter({ ids }: { ids: Ids }): HistoryWriter {
  return {
    append: async (tx, { id: changeSetId, seriesId, version }, { actor, data, ...entry }) => {
      await tx.changeSetEntry.create({
        data: {
          ...entry,
          ...(actor === null ? {} : toActorColumns(actor)),
          id: ids.uuid(),
          seriesId,
          changeSetId,
          version,
          data: toStorableJson(data),
        },
        select: { id: true },
      });
    },
  };
}

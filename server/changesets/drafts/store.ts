import type { DbOrTransaction } from "../../platform/db";
import { toStorableJson, toStorableText, type JsonObject } from "../../platform/storable-text";
import type { DraftRecord, DraftTarget } from "./types";

/** Drafts. Every call names whose they are; another's are not there. */
export interface DraftStore {
  /** False when the id is another's; nothing is written then. */
  save(draft: DraftRecord): Promise<boolean>;
  /** Those of one actor in a series, the oldest first. */
  list(actorId: string, seriesId: string): Promise<DraftRecord[]>;
  /** How many there were to remove. */
  remove(actorId: string, ids: readonly string[]): Promise<number>;
}

export function createDraftStore(db: DbOrTransaction): DraftStore {
  return {
    save: async ({ id, actorId, ...draft }) => {
      const data = {
        ...draft,
        target: toStorableJson(draft.target as unknown as JsonObject),
        body: toStorableText(draft.body),
      };
      const { count } = await db.reviewDraft.updateMany({ where: { id, actorId }, data });
      if (count === 1) return true;
      const made = await db.reviewDraft.createMany({
        data: { ...data, id, actorId, createdAt: draft.savedAt },
        skipDuplicates: true,
      });
      // Two saves of a new draft at once: the one that came second finds the row of the first.
      return (
        made.count === 1 || (await db.reviewDraft.updateMany({ where: { id, actorId }, data })).count === 1
      );
    },
    list: async (actorId, seriesId) => {
      const rows = await db.reviewDraft.findMany({
        where: { actorId, changeSet: { seriesId } },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      });
      return rows.map(({ createdAt: _createdAt, ...row }) => ({
        ...row,
        target: row.target as unknown as DraftTarget,
      }));
    },
    remove: async (actorId, ids) => {
      const { count } = await db.reviewDraft.deleteMany({ where: { actorId, id: { in: [...ids] } } });
      return count;
    },
  };
}

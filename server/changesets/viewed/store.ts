import type { DbOrTransaction } from "../../platform/db";
import { toStorableText } from "../../platform/storable-text";

/** A path with the contents of both sides that somebody has looked at. */
export interface ViewedFile {
  path: string;
  oldObjectId: string;
  newObjectId: string;
}

/** Which files of a series somebody has looked at. */
export interface ViewedStore {
  set(actorId: string, seriesId: string, file: ViewedFile): Promise<void>;
  remove(actorId: string, seriesId: string, path: string): Promise<void>;
  list(actorId: string, seriesId: string): Promise<ViewedFile[]>;
}

export function createViewedStore(db: DbOrTransaction): ViewedStore {
  return {
    set: async (actorId, seriesId, { path, ...contents }) => {
      const key = { actorId, seriesId, path: toStorableText(path) };
      await db.viewedFile.upsert({
        where: { actorId_seriesId_path: key },
        create: { ...key, ...contents },
        update: contents,
      });
    },
    remove: async (actorId, seriesId, path) => {
      await db.viewedFile.deleteMany({ where: { actorId, seriesId, path: toStorableText(path) } });
    },
    list: (actorId, seriesId) =>
      db.viewedFile.findMany({
        where: { actorId, seriesId },
        select: { path: true, oldObjectId: true, newObjectId: true },
      }),
  };
}

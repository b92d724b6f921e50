import { everything } from "../../access/scope";
import type { DiffFile, GitService } from "../../git/types";
import { DomainError } from "../../platform/errors";
import { findChangeSet } from "../find-change-set";
import type { ChangeSetStore } from "../store";
import type { ChangeSetRecord } from "../types";
import type { ViewedFile, ViewedStore } from "./store";

/** Which files somebody has looked at. A mark holds for the contents that were seen: a file that changed loses it. */
export interface ViewedMarks {
  /** Errors: `changeset.not_found`, `input.invalid` for a path that no version of the series changes. */
  set(input: { actorId: string; changeSetId: string; path: string; isViewed: boolean }): Promise<void>;
  /** Paths of this ChangeSet that were looked at as they are now. Errors: `changeset.not_found`. */
  list(actorId: string, changeSetId: string): Promise<string[]>;
}

/** Stands for a side that is not there. */
const noObject = "";
/** Stands for both sides of a file that is as in the base again: only a comparison of versions shows it. */
const asInBase = "as in the base";

export function createViewedMarks(deps: {
  changeSets: ChangeSetStore;
  store: ViewedStore;
  git: Pick<GitService, "diffFiles">;
}): ViewedMarks {
  const { changeSets, store, git } = deps;
  const readFiles = ({
    projectId,
    baseCommit: base,
    headCommit: head,
  }: ChangeSetRecord): Promise<DiffFile[]> => git.diffFiles({ projectId, base, head });
  return {
    set: async ({ actorId, changeSetId, path, isViewed }) => {
      const changeSet = await findChangeSet(changeSets, changeSetId, everything);
      if (!isViewed) return store.remove(actorId, changeSet.seriesId, path);
      const file = (await readFiles(changeSet)).find((one) => one.path === path);
      if (file !== undefined) return store.set(actorId, changeSet.seriesId, contentsOf(file));
      for (const other of await changeSets.listSeries(changeSet.seriesId)) {
        if (other.id === changeSet.id || !(await readFiles(other)).some((one) => one.path === path)) continue;
        return store.set(actorId, changeSet.seriesId, {
          path,
          oldObjectId: asInBase,
          newObjectId: asInBase,
        });
      }
      throw new DomainError("input.invalid", "path: no version of this ChangeSet changes such a file", {
        field: "path",
      });
    },
    list: async (actorId, changeSetId) => {
      const changeSet = await findChangeSet(changeSets, changeSetId, everything);
      const marks = new Map((await store.list(actorId, changeSet.seriesId)).map((mark) => [mark.path, mark]));
      if (marks.size === 0) return [];
      const files = new Map((await readFiles(changeSet)).map((file) => [file.path, contentsOf(file)]));
      return [...marks.values()].flatMap(({ path, oldObjectId, newObjectId }) => {
        const now = files.get(path) ?? { oldObjectId: asInBase, newObjectId: asInBase };
        return now.oldObjectId === oldObjectId && now.newObjectId === newObjectId ? [path] : [];
      });
    },
  };
}

function contentsOf(file: DiffFile): ViewedFile {
  return {
    path: file.path,
    oldObjectId: file.old?.objectId ?? noObject,
    newObjectId: file.new?.objectId ?? noObject,
  };
}

import { everything } from "../../access/scope";
import type { DiffFile, GitService } from "../../git/types";
import { DomainError } from "../../platform/errors";
import { findChangeSet } from "../find-change-set";
import type { ChangeSetStore } from "../store";
import type { ChangeSetRecord } from "../types";
import type { ViewedFile, ViewedStore } from "./store";

/** Which files somebody has looked at. A mark holds for the contents that were seen: a file that changed loses it. */
export interface ViewedMarks {
  /** Errors: `changeset.not_found`, `input.invalid` for a path that the ChangeSet does not change. */
  set(input: { actorId: string; changeSetId: string; path: string; isViewed: boolean }): Promise<void>;
  /** Paths of this ChangeSet that were looked at as they are now. Errors: `changeset.not_found`. */
  list(actorId: string, changeSetId: string): Promise<string[]>;
}

/** Stands for a side that is not there. */
const noObject = "";

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
      if (file === undefined) {
        throw new DomainError("input.invalid", "path: this ChangeSet does not change such a file", {
          field: "path",
        });
      }
      return store.set(actorId, changeSet.seriesId, contentsOf(file));
    },
    list: async (actorId, changeSetId) => {
      const changeSet = await findChangeSet(changeSets, changeSetId, everything);
      const marks = new Map((await store.list(actorId, changeSet.seriesId)).map((mark) => [mark.path, mark]));
      if (marks.size === 0) return [];
      return (await readFiles(changeSet)).map(contentsOf).flatMap((file) => {
        const mark = marks.get(file.path);
        const isSame = mark?.oldObjectId === file.oldObjectId && mark.newObjectId === file.newObjectId;
        return isSame ? [file.path] : [];
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

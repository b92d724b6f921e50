import { everything } from "../../access/scope";
import type { Clock } from "../../platform/clock";
import { DomainError } from "../../platform/errors";
import type { Anchors } from "../comments/anchors";
import type { Placement } from "../comments/types";
import { findChangeSet, requireHead } from "../find-change-set";
import type { ChangeSetStore } from "../store";
import type { DraftStore } from "./store";
import type { DraftRecord } from "./types";

/** What people have written and not sent. It outlives reloads, failures and new versions. */
export interface Drafts {
  /**
   * Writes a draft under the id that its writer chose, or writes it anew. An empty body removes it.
   * Errors: `changeset.not_found`, `conflict.stale`, `draft.not_found` for an id of somebody else's.
   */
  save(draft: Omit<DraftRecord, "savedAt"> & { headCommit: string }): Promise<{ id: string; savedAt: Date }>;
  /** The actor's own of the whole series, each with its place in this ChangeSet. Errors: `changeset.not_found`. */
  list(actorId: string, changeSetId: string): Promise<PlacedDraft[]>;
  /** Removing what is not there is done. */
  remove(actorId: string, id: string): Promise<void>;
}

export interface PlacedDraft {
  draft: DraftRecord;
  version: number;
  headCommit: string;
  /** Null for a draft that is not about lines or files. */
  placement: Placement | null;
}

interface DraftsDeps {
  changeSets: ChangeSetStore;
  store: DraftStore;
  anchors: Anchors;
  clock: Clock;
}

export function createDrafts({ changeSets, store, anchors, clock }: DraftsDeps): Drafts {
  return {
    save: async ({ headCommit, ...draft }) => {
      const changeSet = await findChangeSet(changeSets, draft.changeSetId, everything);
      requireHead(changeSet, headCommit);
      const savedAt = clock.now();
      if (draft.body.trim() === "") await store.remove(draft.actorId, [draft.id]);
      else if (!(await store.save({ ...draft, savedAt }))) {
        throw new DomainError("draft.not_found", "id: there is no such draft of yours.");
      }
      return { id: draft.id, savedAt };
    },
    list: async (actorId, changeSetId) => {
      const changeSet = await findChangeSet(changeSets, changeSetId, everything);
      const versions = new Map((await changeSets.listSeries(changeSet.seriesId)).map((one) => [one.id, one]));
      const drafts = await store.list(actorId, changeSet.seriesId);
      return Promise.all(
        drafts.map(async (draft) => {
          const from = versions.get(draft.changeSetId) ?? changeSet;
          const { target } = draft;
          const placement =
            target.type === "comment"
              ? await anchors.place(from, { anchor: target.anchor, oldPath: null }, changeSet)
              : null;
          return { draft, version: from.version, headCommit: from.headCommit, placement };
        }),
      );
    },
    remove: async (actorId, id) => {
      await store.remove(actorId, [id]);
    },
  };
}

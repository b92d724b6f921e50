import type { DbOrTransaction } from "../../platform/db";
import { toStorableText } from "../../platform/storable-text";
import { toActor, toActorColumns } from "../actor-columns";
import type { MergeEnd, MergeOutcome, MergeRecord } from "./types";

/** Merges, each written before git is asked. */
export interface MergeStore {
  /** False when another merge of the same Task is under way; nothing is written then. */
  begin(merge: NewMerge): Promise<boolean>;
  findUnderWay(taskId: string): Promise<MergeRecord | null>;
  listUnderWay(): Promise<MergeRecord[]>;
  /** The merge that merged a ChangeSet; null when none has. */
  findMerged(changeSetId: string): Promise<MergeRecord | null>;
  /** False when it was ended before. That git moved a branch is a fact, and counts even then. */
  end(id: string, end: MergeEnd, at: Date): Promise<boolean>;
}

export type NewMerge = Omit<MergeRecord, "outcome" | "commit" | "files" | "detail" | "finishedAt">;

export function createMergeStore(db: DbOrTransaction): MergeStore {
  return {
    begin: async ({ actor, ...merge }) => {
      const { count } = await db.merge.createMany({
        data: { ...merge, message: toStorableText(merge.message), ...toActorColumns(actor), files: [] },
        skipDuplicates: true,
      });
      return count === 1;
    },
    findUnderWay: async (taskId) =>
      toMergeOrNull(await db.merge.findFirst({ where: { taskId, outcome: null } })),
    listUnderWay: async () =>
      (await db.merge.findMany({ where: { outcome: null }, orderBy: { begunAt: "asc" } })).map(toMerge),
    findMerged: async (changeSetId) =>
      toMergeOrNull(await db.merge.findFirst({ where: { changeSetId, outcome: "merged" } })),
    end: async (id, end, at) => {
      const { count } = await db.merge.updateMany({
        where:
          end.outcome === "merged"
            ? { id, OR: [{ outcome: null }, { outcome: { not: "merged" } }] }
            : { id, outcome: null },
        data: {
          outcome: end.outcome,
          finishedAt: at,
          commit: end.outcome === "merged" ? end.commit : null,
          files: end.outcome === "conflict" ? end.files.map(toStorableText) : [],
          detail: end.outcome === "failed" ? toStorableText(end.detail) : null,
        },
      });
      return count === 1;
    },
  };
}

type MergeRow = Omit<MergeRecord, "actor" | "outcome"> & {
  actorId: string;
  actorKind: string;
  actorName: string;
  outcome: MergeOutcome | null;
};

function toMerge({ actorId, actorKind, actorName, ...row }: MergeRow): MergeRecord {
  return { ...row, actor: toActor({ actorId, actorKind, actorName }) };
}

function toMergeOrNull(row: MergeRow | null): MergeRecord | null {
  return row === null ? null : toMerge(row);
}

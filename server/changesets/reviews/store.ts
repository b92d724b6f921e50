import type { DbOrTransaction } from "../../platform/db";
import { toStorableText } from "../../platform/storable-text";
import { toActor, toActorColumns } from "../actor-columns";
import type { ReviewRecord } from "./types";

/** Reviews. They are only added. */
export interface ReviewStore {
  create(review: Omit<ReviewRecord, "version" | "headCommit">): Promise<void>;
  findByKey(key: {
    changeSetId: string;
    actorId: string;
    idempotencyKey: string;
  }): Promise<ReviewRecord | null>;
  /** Those of a series, the oldest first. */
  list(seriesId: string): Promise<ReviewRecord[]>;
  /** The highest version of a series that somebody reviewed; null when they reviewed none. */
  findLastVersion(seriesId: string, actorId: string): Promise<number | null>;
}

const withChangeSet = { changeSet: { select: { version: true, headCommit: true } } } as const;

export function createReviewStore(db: DbOrTransaction): ReviewStore {
  return {
    create: async ({ actor, ...review }) => {
      await db.review.create({
        data: { ...review, summary: toStorableText(review.summary), ...toActorColumns(actor) },
        select: { id: true },
      });
    },
    findByKey: async (key) => {
      const row = await db.review.findFirst({ where: key, include: withChangeSet });
      return row === null ? null : toReview(row);
    },
    list: async (seriesId) => {
      const rows = await db.review.findMany({
        where: { changeSet: { seriesId } },
        include: withChangeSet,
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      });
      return rows.map(toReview);
    },
    findLastVersion: async (seriesId, actorId) => {
      const row = await db.review.findFirst({
        where: { actorId, changeSet: { seriesId } },
        orderBy: { changeSet: { version: "desc" } },
        select: { changeSet: { select: { version: true } } },
      });
      return row?.changeSet.version ?? null;
    },
  };
}

function toReview({
  actorId,
  actorKind,
  actorName,
  changeSet,
  ...row
}: Omit<ReviewRecord, "actor" | "version" | "headCommit"> & {
  actorId: string;
  actorKind: string;
  actorName: string;
  changeSet: { version: number; headCommit: string };
}): ReviewRecord {
  return { ...row, ...changeSet, actor: toActor({ actorId, actorKind, actorName }) };
}

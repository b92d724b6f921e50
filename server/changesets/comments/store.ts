import type { Actor } from "../../access/types";
import type { DbOrTransaction } from "../../platform/db";
import { toStorableText } from "../../platform/storable-text";
import { toActor, toActorColumns } from "../actor-columns";
import type { Anchor, CommentKind, Placement, PlacedAnchor, ThreadRecord, ThreadState } from "./types";

/** Threads, their comments, and where they are in other versions. */
export interface CommentStore {
  createThread(thread: NewThread): Promise<void>;
  createComment(comment: NewComment): Promise<void>;
  /** All threads of a series, the oldest first, each with its comments in order. */
  listThreads(seriesId: string): Promise<ThreadRecord[]>;
  findThread(id: string): Promise<ThreadRecord | null>;
  /** The comment that somebody sent under a key of theirs. */
  findByKey(actorId: string, idempotencyKey: string): Promise<{ id: string; threadId: string } | null>;
  /** False when the thread was not in the state `from`; nothing is changed then. */
  moveThread(id: string, from: ThreadState, to: ThreadState, by: Actor): Promise<boolean>;
  countThreads(seriesId: string): Promise<{ threads: number; unresolved: number }>;
  /** What is known of these threads' places in a head. */
  listPlacements(threadIds: readonly string[], headCommit: string): Promise<Map<string, Placement>>;
  keepPlacement(threadId: string, headCommit: string, placement: Placement): Promise<void>;
}

export interface NewThread extends PlacedAnchor {
  id: string;
  changeSetId: string;
  kind: CommentKind;
  createdAt: Date;
}

export interface NewComment {
  id: string;
  threadId: string;
  reviewId: string | null;
  actor: Actor;
  body: string;
  idempotencyKey: string | null;
  createdAt: Date;
}

const withComments = {
  changeSet: { select: { seriesId: true, version: true, headCommit: true } },
  comments: { orderBy: { position: "asc" } },
} as const;

export function createCommentStore(db: DbOrTransaction): CommentStore {
  return {
    ...threadsOf(db),
    createComment: async ({ actor, ...comment }) => {
      await db.comment.create({
        data: { ...comment, body: toStorableText(comment.body), ...toActorColumns(actor) },
        select: { id: true },
      });
    },
    findByKey: (actorId, idempotencyKey) =>
      db.comment.findFirst({
        where: { actorId, idempotencyKey },
        select: { id: true, threadId: true },
      }),
    countThreads: async (seriesId) => {
      const [threads, unresolved] = await Promise.all([
        db.commentThread.count({ where: { changeSet: { seriesId } } }),
        db.commentThread.count({ where: { changeSet: { seriesId }, state: "open" } }),
      ]);
      return { threads, unresolved };
    },
    listPlacements: async (threadIds, headCommit) => {
      const rows = await db.threadPlacement.findMany({
        where: { headCommit, threadId: { in: [...threadIds] } },
      });
      return new Map(
        rows.map(({ threadId, status, path, startLine, endLine }) => [
          threadId,
          { status, path, startLine, endLine },
        ]),
      );
    },
    keepPlacement: async (threadId, headCommit, placement) => {
      await db.threadPlacement.createMany({
        data: { threadId, headCommit, ...placement },
        skipDuplicates: true,
      });
    },
  };
}

function threadsOf(
  db: DbOrTransaction,
): Pick<CommentStore, "createThread" | "listThreads" | "findThread" | "moveThread"> {
  return {
    createThread: async ({ anchor, code, oldPath, ...thread }) => {
      const storable = (lines: readonly string[] = []): string[] => lines.map(toStorableText);
      await db.commentThread.create({
        data: {
          ...thread,
          ...toAnchorColumns(anchor),
          oldPath: oldPath === null ? null : toStorableText(oldPath),
          state: "open",
          lines: storable(code?.lines),
          linesBefore: storable(code?.before),
          linesAfter: storable(code?.after),
        },
        select: { id: true },
      });
    },
    listThreads: async (seriesId) => {
      const rows = await db.commentThread.findMany({
        where: { changeSet: { seriesId } },
        include: withComments,
      });
      // Those of one review began at the same time: their first comments say in which order they were written.
      const begins = rows.map((row) => ({ row, begin: row.comments[0]?.position ?? 0n }));
      return begins.sort((a, b) => (a.begin < b.begin ? -1 : 1)).map(({ row }) => toThread(row));
    },
    findThread: async (id) => {
      const row = await db.commentThread.findUnique({ where: { id }, include: withComments });
      return row === null ? null : toThread(row);
    },
    moveThread: async (id, from, to, by) => {
      const { actorId, actorKind, actorName } = toActorColumns(by);
      const { count } = await db.commentThread.updateMany({
        where: { id, state: from },
        data: { state: to, stateById: actorId, stateByKind: actorKind, stateByName: actorName },
      });
      return count === 1;
    },
  };
}

function toAnchorColumns(anchor: Anchor): {
  path: string | null;
  side: "old" | "new" | null;
  startLine: number | null;
  endLine: number | null;
} {
  const none = { path: null, side: null, startLine: null, endLine: null };
  return anchor === null ? none : { ...none, ...anchor };
}

interface ThreadRow extends Pick<
  ThreadRecord,
  "id" | "changeSetId" | "kind" | "state" | "oldPath" | "createdAt"
> {
  path: string | null;
  side: "old" | "new" | null;
  startLine: number | null;
  endLine: number | null;
  lines: string[];
  linesBefore: string[];
  linesAfter: string[];
  stateById: string | null;
  stateByKind: string | null;
  stateByName: string | null;
  changeSet: { seriesId: string; version: number; headCommit: string };
  comments: {
    id: string;
    body: string;
    createdAt: Date;
    actorId: string;
    actorKind: string;
    actorName: string;
  }[];
}

function toThread(row: ThreadRow): ThreadRecord {
  const { id, changeSetId, kind, state, oldPath, createdAt } = row;
  const { stateById: actorId, stateByKind: actorKind, stateByName: actorName } = row;
  const anchor = anchorOf(row);
  return {
    id,
    changeSetId,
    ...row.changeSet,
    anchor,
    oldPath,
    code:
      anchor !== null && "side" in anchor
        ? { lines: row.lines, before: row.linesBefore, after: row.linesAfter }
        : null,
    kind,
    state,
    stateBy:
      actorId === null || actorKind === null || actorName === null
        ? null
        : toActor({ actorId, actorKind, actorName }),
    createdAt,
    comments: row.comments.map((comment) => ({
      id: comment.id,
      author: toActor(comment),
      body: comment.body,
      at: comment.createdAt,
    })),
  };
}

function anchorOf({ path, side, startLine, endLine }: ThreadRow): Anchor {
  if (path === null) return null;
  if (side === null || startLine === null || endLine === null) return { path };
  return { path, side, startLine, endLine };
}

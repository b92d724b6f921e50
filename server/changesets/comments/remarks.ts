import type { Actor } from "../../access/types";
import type { Transaction } from "../../platform/db";
import { DomainError } from "../../platform/errors";
import type { Ids } from "../../platform/ids";
import type { HistoryWriter } from "../history/store";
import type { ChangeSetRecord } from "../types";
import type { CommentStore } from "./store";
import type { CommentKind, PlacedAnchor } from "./types";

/** What somebody says: the beginning of a thread on one version, or an answer in a thread of the series. */
export type Remark =
  | { type: "thread"; changeSet: ChangeSetRecord; placed: PlacedAnchor; kind: CommentKind; body: string }
  | { type: "reply"; threadId: string; body: string };

export interface RemarkContext {
  /** The ChangeSet that somebody looked at when this was said. */
  changeSet: ChangeSetRecord;
  actor: Actor;
  at: Date;
  reviewId: string | null;
  idempotencyKey: string | null;
}

interface RemarkDeps {
  commentsIn: (tx: Transaction) => CommentStore;
  history: HistoryWriter;
  ids: Ids;
}

/**
 * Writes one remark in the caller's transaction. Errors: `thread.not_found` for an answer to what is no thread of the
 * series; the transaction must not be kept then.
 */
export async function writeRemark(
  deps: RemarkDeps,
  tx: Transaction,
  remark: Remark,
  { changeSet, actor, at, reviewId, idempotencyKey }: RemarkContext,
): Promise<{ threadId: string; commentId: string }> {
  const { commentsIn, history, ids } = deps;
  const store = commentsIn(tx);
  const commentId = ids.uuid();
  const threadId = remark.type === "reply" ? remark.threadId : ids.uuid();
  if (remark.type === "reply") {
    const thread = await store.findThread(threadId);
    if (thread?.seriesId !== changeSet.seriesId) {
      throw new DomainError("thread.not_found", "threadId: there is no such thread.", { threadId });
    }
  } else {
    const { placed, kind, changeSet: about } = remark;
    await store.createThread({ ...placed, id: threadId, changeSetId: about.id, kind, createdAt: at });
  }
  await store.createComment({
    id: commentId,
    threadId,
    reviewId,
    actor,
    body: remark.body,
    idempotencyKey,
    createdAt: at,
  });
  const about = remark.type === "reply" ? changeSet : remark.changeSet;
  const path = remark.type === "reply" ? null : (remark.placed.anchor?.path ?? null);
  await history.append(tx, about, {
    at,
    actor,
    what: remark.type === "reply" ? "commented" : "thread_opened",
    data: { threadId, commentId, path },
  });
  return { threadId, commentId };
}

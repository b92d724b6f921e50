import type { Scope } from "../../access/scope";
import { everything } from "../../access/scope";
import type { Actor } from "../../access/types";
import type { Idempotency } from "../../idempotency/service";
import type { Clock } from "../../platform/clock";
import type { RunInTransaction, Transaction } from "../../platform/db";
import { DomainError } from "../../platform/errors";
import type { Ids } from "../../platform/ids";
import type { HistoryWriter } from "../history/store";
import { findChangeSet, requireHead } from "../find-change-set";
import type { ChangeSetStore } from "../store";
import type { ChangeSetRecord } from "../types";
import type { Anchors } from "./anchors";
import { writeRemark, type Remark } from "./remarks";
import type { CommentStore } from "./store";
import type { Anchor, CommentKind, Placement, ThreadRecord, ThreadState } from "./types";

/** What people say about ChangeSets, line by line. */
export interface Comments {
  /**
   * Opens a thread, or answers in one. The lines of the anchor are read from git and kept with it. A repeat under the
   * same key gives the same comment.
   * Errors: `changeset.not_found`, `thread.not_found`, `conflict.stale`, `file.not_found` and `input.invalid` for what is not there.
   */
  create(input: NewRemark): Promise<{ threadId: string; commentId: string }>;
  /** All threads of the series, the oldest first, each with its place in this ChangeSet. Errors: `changeset.not_found`. */
  list(changeSetId: string, scope: Scope): Promise<PlacedThread[]>;
  /** How many threads a series has, and how many of them are open. */
  count(seriesId: string): Promise<{ threads: number; unresolved: number }>;
  /** Setting the state that it has changes nothing. Errors: `thread.not_found`. */
  setState(input: { threadId: string; state: ThreadState; actor: Actor }): Promise<ThreadRecord>;
}

export interface NewRemark {
  changeSetId: string;
  headCommit: string;
  anchor: Anchor;
  threadId: string | null;
  kind: CommentKind;
  body: string;
  idempotencyKey: string | null;
  actor: Actor;
}

export interface PlacedThread {
  thread: ThreadRecord;
  placement: Placement;
}

interface CommentsDeps {
  changeSets: ChangeSetStore;
  store: CommentStore;
  commentsIn: (tx: Transaction) => CommentStore;
  anchors: Anchors;
  history: HistoryWriter;
  idempotency: Idempotency;
  transaction: RunInTransaction;
  clock: Clock;
  ids: Ids;
}

export function createComments(deps: CommentsDeps): Comments {
  const { changeSets, store, anchors, idempotency } = deps;
  return {
    create: async ({ actor, idempotencyKey, ...input }) => {
      const changeSet = await findChangeSet(changeSets, input.changeSetId, everything);
      requireHead(changeSet, input.headCommit);
      if (idempotencyKey === null) return create(deps, changeSet, { ...input, actor, storedKey: null });
      const call = { actorId: actor.id, procedure: "comment.create", scopeId: changeSet.id };
      return idempotency.runOnce(
        { ...call, key: idempotencyKey, body: input, isKept: () => true },
        async () => {
          const storedKey = `${changeSet.id} ${idempotencyKey}`;
          const known = await store.findByKey(actor.id, storedKey);
          if (known !== null) return { threadId: known.threadId, commentId: known.id };
          return create(deps, changeSet, { ...input, actor, storedKey });
        },
      );
    },
    list: async (changeSetId, scope) => {
      const changeSet = await findChangeSet(changeSets, changeSetId, scope);
      const threads = await store.listThreads(changeSet.seriesId);
      const versions = new Map((await changeSets.listSeries(changeSet.seriesId)).map((one) => [one.id, one]));
      const known = await store.listPlacements(
        threads.map(({ id }) => id),
        changeSet.headCommit,
      );
      const placed: PlacedThread[] = [];
      for (const thread of threads) {
        const from = versions.get(thread.changeSetId);
        if (from === undefined) throw new Error(`The ChangeSet of thread ${thread.id} is not in its series.`);
        let placement = known.get(thread.id);
        if (placement === undefined) {
          placement = await anchors.place(from, thread, changeSet);
          await store.keepPlacement(thread.id, changeSet.headCommit, placement);
        }
        placed.push({ thread, placement });
      }
      return placed;
    },
    count: (seriesId) => store.countThreads(seriesId),
    setState: (input) => setState(deps, input),
  };
}

async function create(
  deps: CommentsDeps,
  changeSet: ChangeSetRecord,
  input: Omit<NewRemark, "idempotencyKey"> & { storedKey: string | null },
): Promise<{ threadId: string; commentId: string }> {
  const { anchor, threadId, kind, body, actor, storedKey } = input;
  const remark: Remark =
    threadId === null
      ? { type: "thread", changeSet, placed: await deps.anchors.read(changeSet, anchor), kind, body }
      : { type: "reply", threadId, body };
  const at = deps.clock.now();
  return deps.transaction((tx) =>
    writeRemark(deps, tx, remark, { changeSet, actor, at, reviewId: null, idempotencyKey: storedKey }),
  );
}

async function setState(
  { changeSets, store, commentsIn, history, transaction, clock }: CommentsDeps,
  { threadId, state, actor }: Parameters<Comments["setState"]>[0],
): Promise<ThreadRecord> {
  const get = async (): Promise<ThreadRecord> => {
    const found = await store.findThread(threadId);
    if (found === null) throw new DomainError("thread.not_found", "There is no such thread.");
    return found;
  };
  const thread = await get();
  if (thread.state === state) return thread;
  const changeSet = await findChangeSet(changeSets, thread.changeSetId, everything);
  await transaction(async (tx) => {
    if (!(await commentsIn(tx).moveThread(threadId, thread.state, state, actor))) return;
    const data = { threadId, from: thread.state, to: state };
    await history.append(tx, changeSet, { at: clock.now(), actor, what: "thread_state_set", data });
  });
  return get();
}

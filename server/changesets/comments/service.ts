import type { Scope } from "../../access/scope";
import { everything } from "../../access/scope";
import type { Actor } from "../../access/types";
import type { Events } from "../../events/service";
import type { EventType } from "../../events/types";
import type { Idempotency } from "../../idempotency/service";
import type { Clock } from "../../platform/clock";
import type { RunInTransaction, Transaction } from "../../platform/db";
import { DomainError } from "../../platform/errors";
import type { Ids } from "../../platform/ids";
import type { JsonObject } from "../../platform/storable-text";
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
  events: Pick<Events, "append">;
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
  return deps.transaction(async (tx) => {
    const context = { changeSet, actor, at, reviewId: null, idempotencyKey: storedKey };
    const written = await writeRemark(deps, tx, remark, context);
    await tell(deps, tx, { type: "changeset.commented", at, changeSet, actor, data: written });
    return written;
  });
}

interface Told {
  type: EventType;
  at: Date;
  changeSet: ChangeSetRecord;
  actor: Actor;
  data: JsonObject;
}

/** So that whoever looks at the same ChangeSet sees it without asking. */
function tell(
  { events }: CommentsDeps,
  tx: Transaction,
  { type, at, changeSet, actor, data }: Told,
): Promise<unknown> {
  const { id: changeSetId, seriesId, taskId, version, title, projectId, changeId } = changeSet;
  const about = { changeSetId, seriesId, taskId, version, title };
  return events.append(tx, {
    type,
    at,
    projectId,
    changeId,
    data: { ...about, ...data, actorId: actor.id, actorName: actor.name },
  });
}

async function setState(
  deps: CommentsDeps,
  { threadId, state, actor }: Parameters<Comments["setState"]>[0],
): Promise<ThreadRecord> {
  const { changeSets, store, commentsIn, history, transaction, clock } = deps;
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
    const at = clock.now();
    await history.append(tx, changeSet, { at, actor, what: "thread_state_set", data });
    await tell(deps, tx, { type: "changeset.thread_state_set", at, changeSet, actor, data });
  });
  return get();
}

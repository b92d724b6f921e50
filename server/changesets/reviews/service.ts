import { everything } from "../../access/scope";
import type { Actor } from "../../access/types";
import type { Events } from "../../events/service";
import type { Idempotency } from "../../idempotency/service";
import type { Clock } from "../../platform/clock";
import type { RunInTransaction, Transaction } from "../../platform/db";
import { DomainError } from "../../platform/errors";
import type { Ids } from "../../platform/ids";
import type { SettingsService } from "../../settings/service";
import type { Anchors } from "../comments/anchors";
import { writeRemark, type Remark } from "../comments/remarks";
import type { CommentStore } from "../comments/store";
import type { Anchor, CommentKind } from "../comments/types";
import type { DraftStore } from "../drafts/store";
import { findChangeSet, requireHead } from "../find-change-set";
import type { HistoryWriter } from "../history/store";
import type { MergeStore } from "../merging/store";
import { stateAfter } from "../state";
import type { ChangeSetStore, ChangeSetWriter } from "../store";
import type { ChangeSetRecord, ChangeSetState } from "../types";
import type { ReviewStore } from "./store";
import type { ReviewRecord, ReviewVerdict } from "./types";

/** What people decide on ChangeSets. */
export interface Reviews {
  /**
   * Writes a verdict with all that is said with it, or nothing. Drafts that are named become comments and are gone; a
   * repeat under the same key gives the same answer.
   * Errors: `changeset.not_found`, `thread.not_found`, `draft.not_found`, `file.not_found` and `input.invalid` for what is not there;
   * `conflict.stale` when another commit was looked at, or nobody can review the ChangeSet any more: `details` has its
   * `state`, and the newest version where there is a newer one. `conflict.idempotency`.
   */
  review(input: NewReview): Promise<{ reviewId: string; state: ChangeSetState }>;
  /** Those of the whole series, the oldest first. */
  list(seriesId: string): Promise<ReviewRecord[]>;
  /** The highest version that somebody reviewed; null when they reviewed none. */
  findLastVersion(seriesId: string, actorId: string): Promise<number | null>;
}

export interface NewReview {
  changeSetId: string;
  headCommit: string;
  verdict: ReviewVerdict;
  summary: string;
  comments: readonly ReviewComment[];
  draftIds: readonly string[];
  idempotencyKey: string;
  actor: Actor;
}

export type ReviewComment =
  { anchor: Anchor; kind: CommentKind; body: string } | { threadId: string; body: string };

interface ReviewsDeps {
  changeSets: ChangeSetStore;
  writerIn: (tx: Transaction) => ChangeSetWriter;
  store: ReviewStore;
  reviewsIn: (tx: Transaction) => ReviewStore;
  commentsIn: (tx: Transaction) => CommentStore;
  drafts: DraftStore;
  draftsIn: (tx: Transaction) => DraftStore;
  mergesIn: (tx: Transaction) => Pick<MergeStore, "findUnderWay">;
  anchors: Anchors;
  history: HistoryWriter;
  audit: Pick<SettingsService, "appendAudit">;
  events: Pick<Events, "append">;
  idempotency: Idempotency;
  transaction: RunInTransaction;
  clock: Clock;
  ids: Ids;
}

export function createReviews(deps: ReviewsDeps): Reviews {
  const { changeSets, store, idempotency } = deps;
  return {
    list: (seriesId) => store.list(seriesId),
    findLastVersion: (seriesId, actorId) => store.findLastVersion(seriesId, actorId),
    review: async (input) => {
      const { actor, idempotencyKey, ...body } = input;
      const changeSet = await findChangeSet(changeSets, input.changeSetId, everything);
      requireHead(changeSet, input.headCommit);
      const call = { actorId: actor.id, procedure: "changeSet.review", scopeId: changeSet.id };
      return idempotency.runOnce({ ...call, key: idempotencyKey, body, isKept: () => true }, async () => {
        const key = { changeSetId: changeSet.id, actorId: actor.id, idempotencyKey };
        const known = await store.findByKey(key);
        if (known !== null) return { reviewId: known.id, state: known.stateAfter };
        const remarks = await readRemarks(deps, changeSet, input);
        return deps.transaction((tx) => write(deps, tx, changeSet, input, remarks));
      });
    },
  };
}

/** Everything that git must be asked for, before anything is written. */
async function readRemarks(
  deps: ReviewsDeps,
  changeSet: ChangeSetRecord,
  input: NewReview,
): Promise<Remark[]> {
  const { changeSets, anchors, drafts } = deps;
  const own = new Map(
    (await drafts.list(input.actor.id, changeSet.seriesId)).map((draft) => [draft.id, draft]),
  );
  const versions = new Map((await changeSets.listSeries(changeSet.seriesId)).map((one) => [one.id, one]));
  const remarks: Remark[] = [];
  const open = async (
    about: ChangeSetRecord,
    anchor: Anchor,
    kind: CommentKind,
    body: string,
  ): Promise<void> => {
    const placed = await anchors.read(about, anchor);
    remarks.push({ type: "thread", changeSet: about, placed, kind, body });
  };
  for (const id of input.draftIds) {
    const draft = own.get(id);
    if (draft === undefined) {
      throw new DomainError("draft.not_found", "draftIds: there is no such draft of yours.", { draftId: id });
    }
    const { target, body } = draft;
    if (target.type === "reply") remarks.push({ type: "reply", threadId: target.threadId, body });
    if (target.type === "comment") {
      await open(versions.get(draft.changeSetId) ?? changeSet, target.anchor, target.kind, body);
    }
  }
  for (const comment of input.comments) {
    if ("threadId" in comment) remarks.push({ type: "reply", ...comment });
    else await open(changeSet, comment.anchor, comment.kind, comment.body);
  }
  return remarks;
}

async function write(
  deps: ReviewsDeps,
  tx: Transaction,
  seen: ChangeSetRecord,
  input: NewReview,
  remarks: readonly Remark[],
): Promise<{ reviewId: string; state: ChangeSetState }> {
  const { verdict, summary, actor, idempotencyKey, draftIds } = input;
  const writer = deps.writerIn(tx);
  const changeSet = await writer.lock(seen.id);
  const state = stateAfter(changeSet.state, verdict);
  if (state === null) throw await explainClosed(deps, changeSet);
  if ((await deps.mergesIn(tx).findUnderWay(changeSet.taskId))?.changeSetId === changeSet.id) {
    throw new DomainError("conflict.stale", "This ChangeSet is being merged right now.", {
      state: changeSet.state,
    });
  }
  const [reviewId, at] = [deps.ids.uuid(), deps.clock.now()];
  const review = { id: reviewId, changeSetId: changeSet.id, actor, verdict, summary };
  await deps.reviewsIn(tx).create({ ...review, stateAfter: state, idempotencyKey, createdAt: at });
  for (const remark of remarks) {
    await writeRemark(deps, tx, remark, { changeSet, actor, at, reviewId, idempotencyKey: null });
  }
  const draftCount = new Set(draftIds).size;
  if ((await deps.draftsIn(tx).remove(actor.id, draftIds)) !== draftCount) {
    throw new DomainError("draft.not_found", "draftIds: one of these drafts was sent or removed meanwhile.");
  }
  if (state !== changeSet.state) await writer.move(changeSet.id, changeSet.state, state);
  const data = { reviewId, verdict, state, comments: remarks.length };
  await deps.history.append(tx, changeSet, { at, actor, what: "reviewed", data });
  await deps.audit.appendAudit(tx, {
    at,
    actor,
    action: "changeSet.review",
    subject: changeSet.id,
    data: { ...data, headCommit: changeSet.headCommit },
  });
  await deps.events.append(tx, {
    type: "changeset.reviewed",
    at,
    projectId: changeSet.projectId,
    changeId: changeSet.changeId,
    data: {
      changeSetId: changeSet.id,
      seriesId: changeSet.seriesId,
      taskId: changeSet.taskId,
      version: changeSet.version,
      title: changeSet.title,
      ...data,
      actorId: actor.id,
      actorName: actor.name,
    },
  });
  return { reviewId, state };
}

const closedWords: Partial<Record<ChangeSetState, string>> = {
  superseded: "A newer version took the place of this one.",
  merged: "This ChangeSet is merged.",
  rejected: "This ChangeSet was rejected, which is for good.",
  not_chosen: "Another attempt at this Task was merged.",
  withdrawn: "This ChangeSet was withdrawn.",
};

/** Why nobody can review it any more, and which version to go on with. */
async function explainClosed({ changeSets }: ReviewsDeps, changeSet: ChangeSetRecord): Promise<DomainError> {
  const { state, seriesId, version } = changeSet;
  const latest = (await changeSets.listSeries(seriesId)).at(-1);
  const newer =
    latest !== undefined && latest.version > version
      ? { latestChangeSetId: latest.id, latestVersion: latest.version }
      : {};
  const why = closedWords[state] ?? "This ChangeSet cannot be reviewed now.";
  return new DomainError("conflict.stale", why, { state, ...newer });
}

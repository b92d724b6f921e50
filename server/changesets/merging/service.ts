import { everything, type Scope } from "../../access/scope";
import type { Actor } from "../../access/types";
import { describeError } from "../../platform/errors";
import { findChangeSet, requireHead } from "../find-change-set";
import { isApproved } from "../state";
import type { ChangeSetRecord } from "../types";
import type { MergesDeps } from "./deps";
import { drive } from "./drive";
import { markMergeable } from "./mark-mergeable";
import { defaultMessage, noreplyAddress } from "./rules";
import type { Mergeability, MergeAnswer, MergeRecord } from "./types";

/** Brings approved ChangeSets into the canonical repository: the commit that was approved, or nothing. */
export interface Merges {
  /** How it would merge now; nothing is changed. Errors: `changeset.not_found`, `git.unavailable`. */
  mergeability(id: string, scope: Scope): Promise<Mergeability>;
  /**
   * Merges a ChangeSet into the branch as the caller saw it. Once it is merged every repeat says so, whatever happened
   * in between; other attempts at the Task are then `not_chosen`.
   * Errors: `changeset.not_found`, `conflict.stale` for another commit, `git.unavailable`: what was begun is then
   * finished by the sweep or by a repeat; `git.rejected` when git broke, and nothing was merged.
   */
  merge(input: NewMergeRequest): Promise<MergeAnswer>;
  /** Who merged a ChangeSet, and into which commit; null when nobody has. */
  findMerged(changeSetId: string): Promise<MergeRecord | null>;
  /** Finishes merges whose process is gone, and marks what is approved and merges cleanly. */
  sweep(): Promise<void>;
}

export interface NewMergeRequest {
  changeSetId: string;
  headCommit: string;
  /** The branch's commit that the caller saw. */
  baseCommit: string;
  /** Null: the default. */
  message: string | null;
  actor: Actor;
}

export function createMerges(deps: MergesDeps): Merges {
  const { changeSets, store, logger } = deps;
  const tested = new Map<string, string>();
  return {
    findMerged: (changeSetId) => store.findMerged(changeSetId),
    mergeability: async (id, scope) => mergeability(deps, await findChangeSet(changeSets, id, scope)),
    merge: async (input) => {
      for (;;) {
        const changeSet = await findChangeSet(changeSets, input.changeSetId, everything);
        requireHead(changeSet, input.headCommit);
        const merged = await store.findMerged(changeSet.id);
        if (merged?.commit != null) return { status: "merged", commit: merged.commit };
        const underWay = await store.findUnderWay(changeSet.taskId);
        if (underWay !== null) {
          await drive(deps, underWay);
          continue;
        }
        if (!isApproved(changeSet.state)) return notApproved;
        const begun = await begin(deps, changeSet, input);
        if (begun === "not_approved") return notApproved;
        if (begun !== "other_under_way") return drive(deps, begun);
      }
    },
    sweep: async () => {
      for (const merge of await store.listUnderWay()) {
        try {
          await drive(deps, merge);
        } catch (error) {
          logger.warn({ mergeId: merge.id, reason: describeError(error) }, "a merge could not be finished");
        }
      }
      await markMergeable(deps, tested);
    },
  };
}

const notApproved: MergeAnswer = {
  status: "refused",
  reason: "not_approved",
  message: "Nobody has approved this version, or changes were asked for since.",
};

/** Writes down what is going to be merged, and how, before git hears of it. */
async function begin(
  deps: MergesDeps,
  changeSet: ChangeSetRecord,
  { baseCommit, message, actor }: NewMergeRequest,
): Promise<MergeRecord | "not_approved" | "other_under_way"> {
  const { branch } = await deps.git.getHead({ projectId: changeSet.projectId });
  const email = (await deps.emailOf(actor)) ?? noreplyAddress(actor);
  const merge = {
    id: deps.ids.uuid(),
    changeSetId: changeSet.id,
    taskId: changeSet.taskId,
    branch,
    expectedBase: baseCommit,
    message: message ?? defaultMessage(changeSet),
    actor,
    email,
    begunAt: deps.clock.now(),
  };
  return deps.transaction(async (tx) => {
    // No review and no new version comes between this look at the state and the merge's row.
    const { state } = await deps.writerIn(tx).lock(changeSet.id);
    if (!isApproved(state)) return "not_approved";
    if (!(await deps.mergesIn(tx).begin(merge))) return "other_under_way";
    const data = { mergeId: merge.id, branch, baseCommit };
    await deps.history.append(tx, changeSet, { at: merge.begunAt, actor, what: "merge_begun", data });
    return { ...merge, outcome: null, commit: null, files: [], detail: null, finishedAt: null };
  });
}

async function mergeability({ git, store }: MergesDeps, changeSet: ChangeSetRecord): Promise<Mergeability> {
  const { projectId, headCommit: head, state } = changeSet;
  const { branch, commit } = await git.getHead({ projectId });
  const about = {
    branch,
    baseCommit: commit,
    message: defaultMessage(changeSet),
    isApproved: isApproved(state),
  };
  if (commit === null) return { ...about, status: "unrelated", behindBy: 0, files: [] };
  const { behindBy, ...test } = await git.testMerge({ projectId, branch, head });
  if (test.status === "contained" || (await store.findMerged(changeSet.id)) !== null) {
    return { ...about, status: "merged", behindBy, files: [] };
  }
  if (test.status !== "conflict") return { ...about, status: test.status, behindBy, files: [] };
  const status = test.files.length === 0 ? "unrelated" : "conflict";
  return { ...about, status, behindBy, files: test.files };
}

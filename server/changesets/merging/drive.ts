import { describeError, DomainError } from "../../platform/errors";
import type { Transaction } from "../../platform/db";
import { supersedable } from "../state";
import type { ChangeSetRecord } from "../types";
import { identityOf } from "./rules";
import type { MergesDeps } from "./deps";
import type { MergeAnswer, MergeEnd, MergeRecord } from "./types";

/**
 * Carries a merge that was written down to its end, from wherever it stands. Any number may do so at once: git moves the
 * branch once for them all, and one of them writes it.
 * Errors: `git.unavailable`, and the merge is still under way; `git.rejected` when git broke, and it has ended.
 */
export async function drive(deps: MergesDeps, merge: MergeRecord): Promise<MergeAnswer> {
  const changeSet = await deps.transaction((tx) => deps.writerIn(tx).lock(merge.changeSetId));
  const end = await askGit(deps, merge, changeSet);
  await deps.transaction((tx) => writeEnd(deps, tx, merge, end));
  switch (end.outcome) {
    case "merged":
      return { status: "merged", commit: end.commit };
    case "conflict":
      return {
        status: "refused",
        reason: "conflict",
        message: `It conflicts with ${merge.branch} as that is now.`,
        files: end.files,
      };
    case "base_moved":
      return {
        status: "refused",
        reason: "base_moved",
        message: `${merge.branch} moved since you looked. Look at how it merges now, then merge again.`,
      };
    case "failed":
      throw new DomainError("git.rejected", "git could not carry out the merge. Nothing was merged.", {
        reason: end.detail,
      });
  }
}

async function askGit(
  { git }: MergesDeps,
  { branch, expectedBase, message, actor, email, begunAt }: MergeRecord,
  { projectId, headCommit: head }: ChangeSetRecord,
): Promise<MergeEnd> {
  const identity = identityOf(actor.name, email);
  try {
    const result = await git.merge({
      projectId,
      branch,
      head,
      expectedBase,
      message,
      author: identity,
      committer: identity,
      at: begunAt.toISOString(),
    });
    if (result.status === "merged") {
      return { outcome: "merged", commit: result.commit, isFastForward: result.isFastForward };
    }
    return result.reason === "conflict"
      ? { outcome: "conflict", files: result.files }
      : { outcome: "base_moved" };
  } catch (error) {
    // Only what git itself says ends a merge. Whatever else went wrong, the branch may have moved: it is asked again.
    if (!(error instanceof DomainError) || error.code === "git.unavailable") throw error;
    return { outcome: "failed", detail: describeError(error) };
  }
}

async function writeEnd(deps: MergesDeps, tx: Transaction, merge: MergeRecord, end: MergeEnd): Promise<void> {
  const writer = deps.writerIn(tx);
  const siblings = await writer.lockTask(merge.taskId);
  const at = deps.clock.now();
  if (!(await deps.mergesIn(tx).end(merge.id, end, at))) return;
  const changeSet = siblings.find(({ id }) => id === merge.changeSetId);
  if (changeSet === undefined) throw new Error(`The ChangeSet of merge ${merge.id} is not in its Task.`);
  if (end.outcome === "merged") {
    await writeMerged(deps, tx, { merge, end, changeSet, siblings, at });
    return;
  }
  if (end.outcome === "conflict" && changeSet.state === "mergeable") {
    await writer.move(changeSet.id, "mergeable", "approved");
  }
  if (end.outcome === "failed" && (changeSet.state === "mergeable" || changeSet.state === "approved")) {
    await writer.move(changeSet.id, changeSet.state, "merge_failed");
  }
  await deps.history.append(tx, changeSet, {
    at,
    actor: merge.actor,
    what: end.outcome === "failed" ? "merge_failed" : "merge_refused",
    data:
      end.outcome === "failed"
        ? { mergeId: merge.id, detail: end.detail }
        : { mergeId: merge.id, reason: end.outcome },
  });
}

interface Merged {
  merge: MergeRecord;
  end: MergeEnd & { outcome: "merged" };
  changeSet: ChangeSetRecord;
  siblings: readonly ChangeSetRecord[];
  at: Date;
}

/** Whatever state the ChangeSet got into meanwhile: its commit is in the branch, and the row says so. */
async function writeMerged(
  deps: MergesDeps,
  tx: Transaction,
  { merge, end, changeSet, siblings, at }: Merged,
): Promise<void> {
  const writer = deps.writerIn(tx);
  const { actor, branch } = merge;
  const data = { commit: end.commit, branch, isFastForward: end.isFastForward };
  await writer.move(changeSet.id, changeSet.state, "merged");
  await deps.history.append(tx, changeSet, { at, actor, what: "merged", data });
  const others = siblings.filter(
    ({ seriesId, state }) => seriesId !== changeSet.seriesId && supersedable.includes(state),
  );
  for (const other of others) {
    await writer.move(other.id, other.state, "not_chosen");
    const chosen = { chosen: changeSet.id };
    await deps.history.append(tx, other, { at, actor, what: "not_chosen", data: chosen });
  }
  await deps.audit.appendAudit(tx, {
    at,
    actor,
    action: "changeSet.merge",
    subject: changeSet.id,
    data: { ...data, headCommit: changeSet.headCommit, expectedBase: merge.expectedBase },
  });
  const eventOf = ({ id, seriesId, version, title }: ChangeSetRecord): Record<string, string | number> => ({
    changeSetId: id,
    seriesId,
    taskId: merge.taskId,
    version,
    title,
    actorId: actor.id,
    actorName: actor.name,
  });
  const place = { at, projectId: changeSet.projectId, changeId: changeSet.changeId };
  await deps.events.append(tx, {
    ...place,
    type: "changeset.merged",
    data: { ...eventOf(changeSet), ...data, state: "merged" },
  });
  for (const other of others) {
    await deps.events.append(tx, {
      ...place,
      type: "changeset.not_chosen",
      data: { ...eventOf(other), state: "not_chosen", chosen: changeSet.id },
    });
  }
}

import { describeError } from "../../platform/errors";
import { everything } from "../../access/scope";
import type { ChangeSetRecord } from "../types";
import type { MergesDeps } from "./deps";

const approvedAtOnceMax = 200;

/**
 * Makes approved ChangeSets `mergeable` that merge cleanly into their branch. `tested` remembers against which commit each
 * was tried, so that git is asked again only when the branch moved.
 */
export async function markMergeable(deps: MergesDeps, tested: Map<string, string>): Promise<void> {
  const filter = { projectId: null, changeId: null, taskId: null, state: "approved" as const };
  const page = { scope: everything, after: null, limit: approvedAtOnceMax };
  const approved = await deps.changeSets.list({ ...filter, ...page });
  const ids = new Set(approved.map(({ id }) => id));
  for (const id of tested.keys()) if (!ids.has(id)) tested.delete(id);
  for (const changeSet of approved) {
    try {
      await mark(deps, changeSet, tested);
    } catch (error) {
      deps.logger.warn(
        { changeSetId: changeSet.id, reason: describeError(error) },
        "it could not be tried how a ChangeSet merges",
      );
    }
  }
}

async function mark(
  deps: MergesDeps,
  changeSet: ChangeSetRecord,
  tested: Map<string, string>,
): Promise<void> {
  const { git, transaction, writerIn, history, clock } = deps;
  const { id, projectId, headCommit: head } = changeSet;
  const { branch, commit } = await git.getHead({ projectId });
  if (commit === null || tested.get(id) === commit) return;
  const { status } = await git.testMerge({ projectId, branch, head });
  tested.set(id, commit);
  if (status === "conflict") return;
  await transaction(async (tx) => {
    if (!(await writerIn(tx).move(id, "approved", "mergeable"))) return;
    const data = { baseCommit: commit };
    await history.append(tx, changeSet, { at: clock.now(), actor: null, what: "mergeable", data });
  });
}

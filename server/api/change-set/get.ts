import { z } from "zod";
import { scopeOf } from "../../access/scope";
import type { MergeRecord } from "../../changesets/merging/types";
import { reviewVerdicts } from "../../changesets/reviews/types";
import { taskKinds } from "../../projects/types";
import { actorView, commit, count, idInput, time } from "../fields";
import { procedure } from "../trpc";
import { changeSetState, changeSetView, toChangeSetView } from "./schema";

/** A ChangeSet with what belongs to it. */
const wholeChangeSetView = changeSetView.extend({
  projectName: z.string(),
  changeTitle: z.string(),
  taskTitle: z.string(),
  taskKind: z.enum(taskKinds),
  /** Where it would be merged. */
  branch: z.string(),
  /** Of the series, the oldest first. */
  versions: z.array(
    z.object({
      id: z.uuid(),
      version: z.int().min(1),
      state: changeSetState,
      headCommit: commit,
      createdAt: time,
    }),
  ),
  /** Of the series, the oldest first. */
  reviews: z.array(
    z.object({
      id: z.uuid(),
      changeSetId: z.uuid(),
      actor: actorView,
      verdict: z.enum(reviewVerdicts),
      summary: z.string(),
      version: z.int().min(1),
      headCommit: commit,
      at: time,
    }),
  ),
  /** Threads of the series. */
  counts: z.object({ threads: count, unresolved: count }),
  /** The highest version that the caller reviewed. */
  lastReviewedVersion: z.int().min(1).nullable(),
  merged: z.object({ commit, branch: z.string(), at: time, actor: actorView }).nullable(),
});

/** A ChangeSet with its versions, its reviews, and how it stands. */
export const get = procedure("all")
  .input(idInput)
  .output(wholeChangeSetView)
  .query(async ({ ctx, input }) => {
    const { changeSets, projects, reviewing } = ctx.deps;
    const scope = scopeOf(ctx.caller);
    const changeSet = await changeSets.get(input.id, scope);
    const { seriesId } = changeSet;
    const [project, change, task, versions, reviews, counts, lastReviewedVersion, merge] = await Promise.all([
      projects.getProject(changeSet.projectId, scope),
      projects.getChange(changeSet.changeId, scope),
      projects.getTask(changeSet.taskId, scope),
      changeSets.listVersions(changeSet.id, scope),
      reviewing.reviews.list(seriesId),
      reviewing.comments.count(seriesId),
      reviewing.reviews.findLastVersion(seriesId, ctx.caller.actor.id),
      reviewing.merges.findMerged(changeSet.id),
    ]);
    return {
      ...toChangeSetView(changeSet),
      projectName: project.name,
      changeTitle: change.title,
      taskTitle: task.title,
      taskKind: task.kind,
      branch: project.defaultBranch,
      versions: versions.map(({ id, version, state, headCommit, createdAt }) => ({
        id,
        version,
        state,
        headCommit,
        createdAt: createdAt.toISOString(),
      })),
      reviews: reviews.map(({ stateAfter: _state, idempotencyKey: _key, createdAt, ...review }) => ({
        ...review,
        at: createdAt.toISOString(),
      })),
      counts,
      lastReviewedVersion,
      merged: toMerged(merge),
    };
  });

function toMerged(merge: MergeRecord | null): z.output<typeof wholeChangeSetView>["merged"] {
  if (merge?.commit == null || merge.finishedAt === null) return null;
  const { commit: merged, branch, actor, finishedAt } = merge;
  return { commit: merged, branch, actor, at: finishedAt.toISOString() };
}

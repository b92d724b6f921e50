import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../../access/scope";
import { mustGit } from "../../testing/git-world";
import {
  createReviewWorld,
  person,
  type ReviewProcess,
  type ReviewWorld,
  type TaskWorld,
} from "../../testing/review-world";
import type { ChangeSetRecord } from "../types";

let world: ReviewWorld;
let web: ReviewProcess;
beforeAll(async () => {
  world = await createReviewWorld();
  web = world.process();
});
afterAll(async () => {
  await world.close();
});

const ada = person("Ada Ähnlich");
let keys = 0;
const approve = async (changeSet: ChangeSetRecord): Promise<void> => {
  await web.reviews.review({
    changeSetId: changeSet.id,
    headCommit: changeSet.headCommit,
    verdict: "approve",
    summary: "",
    comments: [],
    draftIds: [],
    idempotencyKey: `key ${keys++}`,
    actor: ada,
  });
};
const headOf = async ({ projectId }: TaskWorld): Promise<string | null> =>
  (await world.git.client.getHead({ projectId })).commit;
const mergeWith = (by: ReviewProcess, changeSet: ChangeSetRecord, baseCommit: string) =>
  by.merges.merge({
    changeSetId: changeSet.id,
    headCommit: changeSet.headCommit,
    baseCommit,
    message: null,
    actor: ada,
  });
const eventsOf = (task: TaskWorld, type: string) =>
  world.db.event.findMany({ where: { changeId: task.changeId, type } });

/** The branch moves on by a commit of its own. */
async function moveBranch(task: TaskWorld, files: Record<string, string>): Promise<string> {
  const other = await world.propose(task, files);
  await approve(other);
  const answer = await mergeWith(web, other, (await headOf(task)) ?? "");
  if (answer.status !== "merged") throw new Error("the branch did not move");
  return answer.commit;
}

describe("a merge", () => {
  it("goes forward to the commit that was approved, and every repeat says so", async () => {
    const task = await world.task();
    const changeSet = await world.propose(task, { "a.txt": "a\n" });
    expect(await mergeWith(web, changeSet, task.commit)).toMatchObject({ reason: "not_approved" });
    await approve(changeSet);
    expect(await web.merges.mergeability(changeSet.id, everything)).toMatchObject({
      status: "fast_forward",
      branch: "main",
      baseCommit: task.commit,
      behindBy: 0,
      isApproved: true,
    });
    const merged = { status: "merged", commit: changeSet.headCommit };
    expect(await mergeWith(web, changeSet, task.commit)).toEqual(merged);
    expect(await mergeWith(web, changeSet, task.commit)).toEqual(merged);
    expect(await headOf(task)).toBe(changeSet.headCommit);
    expect((await world.find(changeSet)).state).toBe("merged");
    expect(await web.merges.mergeability(changeSet.id, everything)).toMatchObject({ status: "merged" });
    expect(await eventsOf(task, "changeset.merged")).toMatchObject([
      { data: { changeSetId: changeSet.id, version: 1, state: "merged", commit: changeSet.headCommit } },
    ]);
    const audit = await world.db.auditEntry.findMany({ where: { subject: changeSet.id } });
    expect(audit.map(({ action }) => action).sort()).toEqual(["changeSet.merge", "changeSet.review"]);
    await expect(
      web.merges.merge({
        changeSetId: changeSet.id,
        headCommit: task.commit,
        baseCommit: task.commit,
        message: null,
        actor: ada,
      }),
    ).rejects.toMatchObject({ code: "conflict.stale" });
  });

  it("beside what came meanwhile makes a commit of the person, with the message that they wrote", async () => {
    const task = await world.task();
    const sameProject = { ...task, ...(await otherTask(task)) };
    const changeSet = await world.propose(sameProject, { "b.txt": "b\n" });
    const base = await moveBranch(task, { "a.txt": "a\n" });
    await approve(changeSet);
    expect(await web.merges.mergeability(changeSet.id, everything)).toMatchObject({
      status: "clean",
      baseCommit: base,
      behindBy: 1,
    });
    expect(await mergeWith(web, changeSet, task.commit)).toMatchObject({ reason: "base_moved" });
    const answer = await web.merges.merge({
      changeSetId: changeSet.id,
      headCommit: changeSet.headCommit,
      baseCommit: base,
      message: "Limits\n\nbecause",
      actor: ada,
    });
    if (answer.status !== "merged") throw new Error(answer.reason);
    const { projectId } = task;
    expect(await world.git.client.getCommit({ projectId, commit: answer.commit })).toMatchObject({
      parents: [base, changeSet.headCommit],
      author: { name: "Ada Ähnlich", email: "ada@example.test" },
      subject: "Limits",
    });
    expect(await headOf(task)).toBe(answer.commit);
  });

  it("that conflicts names the files and changes nothing; the ChangeSet is not mergeable any more", async () => {
    const task = await world.task({ "a.txt": "1\n" });
    const changeSet = await world.propose({ ...task, ...(await otherTask(task)) }, { "a.txt": "2\n" });
    await approve(changeSet);
    await web.merges.sweep();
    expect((await world.find(changeSet)).state).toBe("mergeable");
    const base = await moveBranch(task, { "a.txt": "3\n" });
    expect(await web.merges.mergeability(changeSet.id, everything)).toMatchObject({
      status: "conflict",
      files: ["a.txt"],
    });
    expect(await mergeWith(web, changeSet, base)).toMatchObject({ reason: "conflict", files: ["a.txt"] });
    expect(await headOf(task)).toBe(base);
    expect((await world.find(changeSet)).state).toBe("approved");
    await web.merges.sweep();
    expect((await world.find(changeSet)).state).toBe("approved");
  });

  it("puts the other attempts at the Task aside, and leaves what was decided and other Tasks alone", async () => {
    const task = await world.task();
    const [chosen, open, rejected] = [
      await world.propose(task, { "a.txt": "a\n" }),
      await world.propose(task, { "b.txt": "b\n" }),
      await world.propose(task, { "c.txt": "c\n" }),
    ];
    const foreign = await world.propose({ ...task, ...(await otherTask(task)) }, { "d.txt": "d\n" });
    await world.db.changeSet.update({ where: { id: rejected.id }, data: { state: "rejected" } });
    await approve(chosen);
    await approve(open);
    await mergeWith(web, chosen, task.commit);
    expect((await world.find(open)).state).toBe("not_chosen");
    expect((await world.find(rejected)).state).toBe("rejected");
    expect((await world.find(foreign)).state).toBe("proposed");
    expect(await eventsOf(task, "changeset.not_chosen")).toMatchObject([
      { data: { changeSetId: open.id, chosen: chosen.id } },
    ]);
    expect(await mergeWith(web, open, chosen.headCommit)).toMatchObject({ reason: "not_approved" });
  });

  it("of a revision leaves what a Run makes of the merged version open to review", async () => {
    const task = await world.task();
    const changeSet = await world.propose(task, { "a.txt": "a\n" });
    await approve(changeSet);
    await mergeWith(web, changeSet, task.commit);
    const next = await world.propose(task, { "a.txt": "b\n" }, changeSet);
    expect(next).toMatchObject({ version: 2, state: "proposed" });
    expect((await world.find(changeSet)).state).toBe("merged");
  });
});

/** Another Task in the same Project. */
async function otherTask(task: TaskWorld) {
  const { taskId } = task;
  const found = await world.db.task.findUniqueOrThrow({ where: { id: taskId } });
  const id = crypto.randomUUID();
  await world.db.task.create({ data: { ...found, id } });
  return { taskId: id };
}

describe("at the same time", () => {
  /** If this fails, two merge commits of one ChangeSet land, or two attempts at one Task. */
  it("several processes merge one ChangeSet once", async () => {
    const task = await world.task();
    const changeSet = await world.propose({ ...task, ...(await otherTask(task)) }, { "b.txt": "b\n" });
    const base = await moveBranch(task, { "a.txt": "a\n" });
    await approve(changeSet);
    const processes = [world.process(), world.process(), world.process()];
    const answers = await Promise.all([
      ...processes.map((one) => mergeWith(one, changeSet, base)),
      ...processes.map((one) => mergeWith(one, changeSet, base)),
      web.merges.sweep(),
    ]);
    const commits = answers.flatMap((answer) => (answer?.status === "merged" ? [answer.commit] : []));
    expect(commits).toHaveLength(6);
    expect(new Set(commits).size).toBe(1);
    const found = await eventsOf(task, "changeset.merged");
    expect(
      found.filter(({ data }) => (data as { changeSetId: string }).changeSetId === changeSet.id),
    ).toHaveLength(1);
    const env = { GIT_DIR: `${world.git.repositories}/${task.projectId}/canonical.git` };
    expect(await mustGit(["rev-list", "--count", `${base}..main`], { env })).toBe("2");
  });

  it("of two attempts at a Task one is merged, and the other is not chosen", async () => {
    const task = await world.task();
    const [one, other] = [
      await world.propose(task, { "a.txt": "a\n" }),
      await world.propose(task, { "b.txt": "b\n" }),
    ];
    await approve(one);
    await approve(other);
    const answers = await Promise.all([
      mergeWith(world.process(), one, task.commit),
      mergeWith(world.process(), other, task.commit),
    ]);
    expect(answers.filter(({ status }) => status === "merged")).toHaveLength(1);
    const states = [(await world.find(one)).state, (await world.find(other)).state];
    expect(states.sort()).toEqual(["merged", "not_chosen"]);
  });
});

/** If this fails, a crash leaves a branch that moved without a row that says so, or a merge that nobody finishes. */
describe("a process that is killed before any step of a merge", () => {
  it("leaves one that a sweep of another finishes once, and that a repeat finds", async () => {
    for (let step = 1; ; step++) {
      const task = await world.task();
      const changeSet = await world.propose({ ...task, ...(await otherTask(task)) }, { "b.txt": "b\n" });
      const base = await moveBranch(task, { "a.txt": "a\n" });
      await approve(changeSet);
      const mortal = world.process(step);
      const answer = await mergeWith(mortal, changeSet, base).catch((error: unknown) => error);
      if (!mortal.life.isOver()) {
        expect(answer).toMatchObject({ status: "merged" });
        expect(step).toBeGreaterThan(6);
        return;
      }
      expect(String(answer)).toContain("killed");
      await web.merges.sweep();
      const afterSweep = await headOf(task);
      const repeat = await mergeWith(web, changeSet, base);
      if (repeat.status !== "merged") throw new Error(`after step ${step}: ${repeat.reason}`);
      expect(await headOf(task)).toBe(repeat.commit);
      if (afterSweep !== base) expect(afterSweep).toBe(repeat.commit);
      expect((await world.find(changeSet)).state).toBe("merged");
      const found = await world.db.merge.findMany({ where: { changeSetId: changeSet.id } });
      expect(found).toMatchObject([{ outcome: "merged", commit: repeat.commit }]);
      const merged = (await eventsOf(task, "changeset.merged")).filter(
        ({ data }) => (data as { changeSetId: string }).changeSetId === changeSet.id,
      );
      expect(merged).toHaveLength(1);
    }
  });
});

it("where git breaks the merge has failed, is told so, and can be tried again", async () => {
  const task = await world.task();
  const changeSet = await world.propose(task, { "a.txt": "a\n" });
  await approve(changeSet);
  const kept = `${world.git.repositories}/${task.projectId}`;
  const { rename } = await import("node:fs/promises");
  await rename(`${kept}/kept.git/objects`, `${kept}/kept.git/away`);
  await expect(mergeWith(web, changeSet, task.commit)).rejects.toMatchObject({ code: "git.rejected" });
  await rename(`${kept}/kept.git/away`, `${kept}/kept.git/objects`);
  expect((await world.find(changeSet)).state).toBe("merge_failed");
  expect(await mergeWith(web, changeSet, task.commit)).toMatchObject({ status: "merged" });
});

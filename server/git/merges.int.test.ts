import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cloneFork,
  commitFiles,
  createFork,
  createGitWorld,
  createProject,
  mustGit,
  withToken,
  type GitWorld,
} from "../testing/git-world";
import { forkRef, type GitService } from "./types";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld();
});
afterAll(async () => {
  await world.close();
});

type Project = Awaited<ReturnType<typeof createProject>>;

/** A kept commit on top of the Project's first one; its fork is gone. */
async function propose(project: Project, files: Record<string, string>): Promise<string> {
  const fork = await createFork(world, project);
  const directory = await cloneFork(world, fork);
  const commit = await commitFiles(directory, files);
  const { token } = await world.client.mintPushToken({
    ...fork,
    ref: forkRef,
    oldCommit: project.commit,
    newCommit: commit,
  });
  await mustGit(["push", "-q", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(token) });
  expect(await world.client.keepCommit({ ...fork, commit })).toMatchObject({
    commit,
    parents: [project.commit],
  });
  await world.client.removeFork(fork);
  return commit;
}

const ada = { name: "Ada Ähnlich", email: "ada@example.test" };
const mergeInput = (
  project: Project,
  head: string,
  expectedBase: string,
): Parameters<GitService["merge"]>[0] => ({
  projectId: project.projectId,
  branch: "main",
  head,
  expectedBase,
  message: "Merge a ChangeSet",
  author: ada,
  committer: ada,
  at: "2026-01-02T03:04:05.000Z",
});

/** If one of these fails, something else is merged than what was approved, or a branch moves that somebody else moved. */
describe("a merge", () => {
  it("goes forward where it can, else makes a commit whose second parent is the head, and repeats itself", async () => {
    const project = await createProject(world);
    const [first, second] = [
      await propose(project, { "a.txt": "a\n" }),
      await propose(project, { "b.txt": "b\n" }),
    ];
    const target = { projectId: project.projectId, branch: "main" };
    expect(await world.client.testMerge({ ...target, head: first })).toEqual({
      status: "fast_forward",
      baseCommit: project.commit,
      mergeBase: project.commit,
      behindBy: 0,
      isContained: false,
    });
    const forward = { status: "merged", commit: first, isFastForward: true };
    expect(await world.client.merge(mergeInput(project, first, project.commit))).toEqual(forward);
    expect(await world.client.merge(mergeInput(project, first, project.commit))).toEqual(forward);

    expect(await world.client.testMerge({ ...target, head: second })).toEqual({
      status: "clean",
      baseCommit: first,
      mergeBase: project.commit,
      behindBy: 1,
      isContained: false,
    });
    expect(await world.client.testMerge({ ...target, head: first })).toMatchObject({
      status: "contained",
      mergeBase: first,
      isContained: true,
    });
    expect(await world.client.merge(mergeInput(project, second, project.commit))).toEqual({
      status: "refused",
      reason: "base_moved",
      current: first,
    });
    const merged = await world.client.merge(mergeInput(project, second, first));
    if (merged.status !== "merged") throw new Error("not merged");
    expect(await world.client.merge(mergeInput(project, second, first))).toEqual(merged);
    const record = await world.client.getCommit({ projectId: project.projectId, commit: merged.commit });
    expect(record).toMatchObject({
      parents: [first, second],
      author: ada,
      at: "2026-01-02T03:04:05.000Z",
      subject: "Merge a ChangeSet",
    });
    expect(await world.client.getBranch(target)).toEqual({ commit: merged.commit });
    expect(await world.client.getHead(target)).toEqual({ branch: "main", commit: merged.commit });
    const commits = await world.client.listCommits({ ...target, limit: 2 });
    expect(commits).toEqual([
      record,
      await world.client.getCommit({ projectId: project.projectId, commit: first }),
    ]);
    expect(await world.client.listCommits({ ...target, branch: "none", limit: 2 })).toEqual([]);
    const env = { GIT_DIR: join(world.repositories, project.projectId, "canonical.git") };
    await mustGit(["fsck", "--full", "--strict"], { env });
    expect(await mustGit(["ls-tree", "--name-only", "main"], { env })).toBe("README.md\na.txt\nb.txt");
  });

  it("names the files of a conflict and changes nothing; attributes of a repository choose no driver", async () => {
    const project = await createProject(world, { "ä.txt": "1\n", ".gitattributes": "*.txt merge=ours\n" });
    const first = await propose(project, { "ä.txt": "2\n" });
    const second = await propose(project, { "ä.txt": "3\n" });
    await world.client.merge(mergeInput(project, first, project.commit));
    const conflict = { status: "conflict", files: ["ä.txt"] };
    expect(
      await world.client.testMerge({ projectId: project.projectId, branch: "main", head: second }),
    ).toMatchObject({ ...conflict, behindBy: 1 });
    expect(await world.client.merge(mergeInput(project, second, first))).toEqual({
      status: "refused",
      reason: "conflict",
      files: ["ä.txt"],
    });
    expect(await world.client.getBranch({ projectId: project.projectId, branch: "main" })).toEqual({
      commit: first,
    });
  });

  it("lets one of several at once win", async () => {
    const project = await createProject(world);
    const heads: string[] = [];
    for (let index = 0; index < 4; index += 1)
      heads.push(await propose(project, { [`f${index}.txt`]: "x\n" }));
    const results = await Promise.all(
      heads.map((head) => world.client.merge(mergeInput(project, head, project.commit))),
    );
    expect(results.filter(({ status }) => status === "merged")).toHaveLength(1);
    expect(
      results.filter((result) => result.status === "refused" && result.reason === "base_moved"),
    ).toHaveLength(3);
  });

  it("starts a fork from a kept commit, so that a proposal can be revised after its fork is gone", async () => {
    const project = await createProject(world);
    const head = await propose(project, { "a.txt": "a\n" });
    const fork = await createFork(world, { projectId: project.projectId, commit: head });
    expect(await world.client.getForkHead(fork)).toEqual({ commit: head });
    const directory = await cloneFork(world, fork);
    expect(await mustGit(["log", "--format=%H"], { cwd: directory })).toBe(`${head}\n${project.commit}`);
  });

  it("says what is not there", async () => {
    const project = await createProject(world);
    const missing = "1".repeat(40);
    await expect(world.client.merge(mergeInput(project, missing, project.commit))).rejects.toMatchObject({
      code: "commit.not_found",
    });
    await expect(
      world.client.getCommit({ projectId: project.projectId, commit: missing }),
    ).rejects.toMatchObject({ code: "commit.not_found" });
    await expect(
      world.client.createFork({
        projectId: project.projectId,
        forkName: `ws-${project.projectId}`,
        startCommit: missing,
      }),
    ).rejects.toMatchObject({ code: "commit.not_found" });
    await expect(
      world.client.getBranch({ projectId: project.projectId, branch: "--output=x" }),
    ).rejects.toMatchObject({ code: "input.invalid" });
    await expect(
      world.client.getHead({ projectId: "11111111-1111-4111-8111-111111111111" }),
    ).rejects.toMatchObject({ code: "repository.not_found" });
  });
});

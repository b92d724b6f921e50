import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cloneFork,
  commitFiles,
  createFork,
  createGitWorld,
  createProject,
  git,
  mustGit,
  withToken,
  type GitWorld,
} from "../testing/git-world";
import { forkRef } from "./types";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld();
});
afterAll(async () => {
  await world.close();
});

describe("a Run's clone and push", () => {
  it("goes round: fork, clone, commit, push of exactly the announced commit", async () => {
    const project = await createProject(world);
    const fork = await createFork(world, project);
    const directory = await cloneFork(world, fork);
    expect(await mustGit(["rev-parse", "HEAD"], { cwd: directory })).toBe(project.commit);
    const commit = await commitFiles(directory, { "src/a.ts": "export const a = 1;\n" });
    const { token } = await world.client.mintPushToken({
      ...fork,
      ref: forkRef,
      oldCommit: project.commit,
      newCommit: commit,
    });
    const push = await git(["push", "--porcelain", "origin", `HEAD:${forkRef}`], {
      cwd: directory,
      env: withToken(token),
    });
    expect(push).toMatchObject({ code: 0 });
    expect(await world.client.getForkHead(fork)).toEqual({ commit });
    const again = await git(["push", "origin", `HEAD~0:${forkRef}`], {
      cwd: directory,
      env: withToken(token),
    });
    expect(again.code).not.toBe(0);
    expect(again.stderr).toMatch(/Authentication failed|could not read/);
  });
});

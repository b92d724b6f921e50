import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  cloneFork,
  commitFiles,
  createFork,
  createGitWorld,
  createProject,
  git,
  mustGit,
  type GitWorld,
} from "../testing/git-world";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld();
});
afterAll(async () => {
  await world.close();
});

/** A Project with thousands of commits, written as one stream. */
async function createLargeProject(commits: number): Promise<Awaited<ReturnType<typeof createProject>>> {
  const project = await createProject(world);
  const lines = Array.from({ length: commits }, (_, index) => {
    const content = `${randomUUID()}\n`.repeat(20);
    return [
      "commit refs/heads/main",
      `committer T <t@example.test> ${1_700_000_001 + index} +0000`,
      "data 1",
      "x",
      index === 0 ? `from ${project.commit}` : "",
      `M 100644 inline d${index % 50}/f${index % 700}.txt`,
      `data ${content.length}`,
      content,
    ]
      .filter((line) => line !== "")
      .join("\n");
  });
  const canonical = join(world.repositories, project.projectId, "canonical.git");
  await mustGit(["fast-import", "--quiet"], { input: lines.join("\n"), env: { GIT_DIR: canonical } });
  const head = await world.client.getHead(project);
  return { ...project, commit: head.commit ?? "" };
}

async function bytesOf(directory: string): Promise<number> {
  const paths = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(directory, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** If this fails, a fork costs what the repository costs, and fifty Runs fill a disk. */
it("makes fifty forks of a large repository that cost next to nothing, and each is whole", async () => {
  const project = await createLargeProject(4_000);
  const canonical = join(world.repositories, project.projectId, "canonical.git");
  const forks = await Promise.all(Array.from({ length: 50 }, () => createFork(world, project)));
  const sizes = await Promise.all(
    forks.map(({ forkName }) =>
      bytesOf(join(world.repositories, project.projectId, "forks", `${forkName}.git`)),
    ),
  );
  expect(Math.max(...sizes)).toBeLessThan(64 * 1024);
  expect(await bytesOf(canonical)).toBeGreaterThan(1024 * 1024);
  const [first, second] = forks;
  if (first === undefined || second === undefined) throw new Error("no forks");
  expect(await mustGit(["rev-list", "--count", "HEAD"], { cwd: await cloneFork(world, first) })).toBe("4001");

  // The canonical repository is packed anew, its branch moves away, and a fork is whole all the same.
  await mustGit(["-c", "pack.threads=1", "repack", "-a", "-d", "-q", "--keep-unreachable"], {
    env: { GIT_DIR: canonical },
  });
  const elsewhere = await commitFiles(project.source, { "z.txt": "z\n" });
  await mustGit(["push", "-q", "--force", canonical, `${elsewhere}:refs/heads/main`], {
    cwd: project.source,
  });
  const directory = await cloneFork(world, second);
  expect(await mustGit(["rev-parse", "HEAD"], { cwd: directory })).toBe(project.commit);
  await mustGit(["fsck", "--full"], { cwd: directory });
});

it("answers the head that a fork has when it is made again, and what was half made is cleaned up", async () => {
  const project = await createProject(world);
  const fork = await createFork(world, project);
  const later = await commitFiles(project.source, { "later.txt": "l\n" });
  const canonical = join(world.repositories, project.projectId, "canonical.git");
  await mustGit(["push", "-q", canonical, "main"], { cwd: project.source });
  expect(await world.client.createFork({ ...fork, startCommit: later })).toEqual({ commit: project.commit });
  const runId = randomUUID();
  const name = { projectId: project.projectId, forkName: `ws-${runId}` };
  const both = await Promise.all(
    [1, 2, 3].map(() => world.client.createFork({ ...name, startCommit: later })),
  );
  expect(both).toEqual([{ commit: later }, { commit: later }, { commit: later }]);

  const quarantine = join(canonical, "objects/tmp_objdir-incoming-abc");
  await mustGit(["init", "-q", "--bare", quarantine]);
  await mustGit(["init", "-q", "--bare", join(world.repositories, project.projectId, "forks/.new-x")]);
  await world.restart();
  const left = await readdir(join(world.repositories, project.projectId), { recursive: true });
  expect(left.filter((path) => /tmp_objdir|\.new-/.test(path))).toEqual([]);
  expect(await world.client.getForkHead(name)).toEqual({ commit: later });
});

it("keeps a commit when its fork is removed, and says what is not there", async () => {
  const project = await createProject(world);
  const fork = await createFork(world, project);
  const kept = { ...fork, commit: project.commit };
  expect((await world.client.keepCommit(kept)).commit).toBe(project.commit);
  await world.client.removeFork(fork);
  expect((await world.client.keepCommit(kept)).commit).toBe(project.commit);
  await expect(world.client.keepCommit({ ...kept, commit: "1".repeat(40) })).rejects.toMatchObject({
    code: "repository.not_found",
  });
  await expect(world.client.mintFetchToken(fork)).rejects.toMatchObject({ code: "repository.not_found" });
  await rm(join(world.folder, "none"), { force: true });
  expect(
    (await git(["fsck"], { env: { GIT_DIR: join(world.repositories, project.projectId, "kept.git") } })).code,
  ).toBe(0);
});

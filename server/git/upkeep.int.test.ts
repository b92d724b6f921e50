import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
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
import { forkRef } from "./types";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld({ upkeep: { looseObjectsMax: 100_000, packsMax: 4 } });
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<typeof createProject>>;
type Fork = Awaited<ReturnType<typeof createFork>>;

const canonicalOf = ({ projectId }: Project): string => join(world.repositories, projectId, "canonical.git");
const keptOf = ({ projectId }: Project): string => join(world.repositories, projectId, "kept.git");

async function packsIn(repository: string): Promise<string[]> {
  return (await readdir(join(repository, "objects/pack"))).filter((name) => name.endsWith(".pack")).sort();
}

/** A person's push that stays one pack, as a large one does. */
async function pushPack(project: Project, content: string): Promise<string> {
  const commit = await commitFiles(project.source, { "log.txt": content, "noise.bin": randomBytes(200_000) });
  await mustGit(["config", "receive.unpackLimit", "1"], { env: { GIT_DIR: canonicalOf(project) } });
  await mustGit(["push", "--quiet", "--force", canonicalOf(project), "HEAD:main"], { cwd: project.source });
  return commit;
}

async function propose(project: Project, fork: Fork, content: string): Promise<string> {
  const directory = await cloneFork(world, fork);
  const head = await commitFiles(directory, { "proposed.txt": content });
  const { token } = await world.client.mintPushToken({
    ...fork,
    ref: forkRef,
    oldCommit: project.commit,
    newCommit: head,
  });
  await mustGit(["push", "--quiet", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(token) });
  await world.client.keepCommit({ ...fork, commit: head });
  return head;
}

/** If this fails, an upkeep in the background takes away what a Run, a review or a merge still needs. */
it("packs a canonical repository anew and loses nothing that forks, kept commits and clones under way need", async () => {
  const first = await createProject(world);
  const early = { ...first, commit: await pushPack(first, "early\n") };
  const fork = await createFork(world, early);
  const keptHead = await propose(early, await createFork(world, early), "kept\n");
  // The branch is rewound, so that no branch of the canonical repository holds the fork's start any more.
  await mustGit(["reset", "--quiet", "--hard", first.commit], { cwd: first.source });
  for (let index = 0; index < 6; index += 1) await pushPack(first, `${index}\n`);
  const before = await packsIn(canonicalOf(first));
  expect(before.length).toBeGreaterThan(4);

  const clones = Array.from({ length: 6 }, async () => cloneFork(world, await createFork(world, early)));
  const later = await propose(early, await createFork(world, early), "later\n");
  await expect
    .poll(async () => (await packsIn(canonicalOf(first))).length, { timeout: 30_000 })
    .toBeLessThan(before.length);

  for (const directory of await Promise.all(clones))
    expect(await mustGit(["rev-parse", "HEAD"], { cwd: directory })).toBe(early.commit);
  for (const repository of [canonicalOf(first), keptOf(first), world.repositories + forkDirectory(fork)])
    await mustGit(["fsck", "--full", "--connectivity-only"], { env: { GIT_DIR: repository } });
  expect(await mustGit(["rev-parse", "HEAD"], { cwd: await cloneFork(world, fork) })).toBe(early.commit);
  const { projectId } = first;
  for (const head of [keptHead, later]) {
    expect(await world.client.diffFiles({ projectId, base: early.commit, head })).toMatchObject([
      { path: "proposed.txt", status: "added" },
    ]);
    expect(await world.client.getCommit({ projectId, commit: head })).toMatchObject({ commit: head });
  }
});

const forkDirectory = ({ projectId, forkName }: Fork): string => `/${projectId}/forks/${forkName}.git`;

it("leaves a repository alone that has few packs", async () => {
  const project = await createProject(world);
  await pushPack(project, "one\n");
  const before = await packsIn(canonicalOf(project));
  const current = { ...project, commit: (await world.client.getHead(project)).commit ?? "" };
  await propose(current, await createFork(world, current), "x\n");
  await world.restart();
  expect(await packsIn(canonicalOf(project))).toEqual(before);
});

it("packs the repository of kept commits too, and a repack that is cut off by a stop changes nothing", async () => {
  const started = await createProject(world);
  // The packs that it borrows are none of its own to roll up.
  for (let index = 0; index < 3; index += 1) await pushPack(started, `${index}\n`);
  const project = { ...started, commit: await pushPack(started, "start\n") };
  const heads: string[] = [];
  for (let index = 0; index < 3; index += 1)
    heads.push(await propose(project, await createFork(world, project), `${index}\n`));
  const packs = join(keptOf(project), "objects/pack");
  // As many packs as many large proposals would have left.
  for (const head of heads)
    for (const object of [head, `${head}^{tree}`])
      await mustGit(["pack-objects", "--quiet", join(packs, "pack")], {
        env: { GIT_DIR: keptOf(project) },
        input: `${await mustGit(["rev-parse", object], { env: { GIT_DIR: keptOf(project) } })}\n`,
      });
  expect((await packsIn(keptOf(project))).length).toBeGreaterThan(4);
  heads.push(await propose(project, await createFork(world, project), "last\n"));
  await world.restart();
  heads.push(await propose(project, await createFork(world, project), "after\n"));
  await expect
    .poll(async () => (await packsIn(keptOf(project))).length, { timeout: 30_000 })
    .toBeLessThanOrEqual(4);
  await mustGit(["fsck", "--full"], { env: { GIT_DIR: keptOf(project) } });
  for (const head of heads)
    expect(await mustGit(["rev-parse", `refs/kept/${head}`], { env: { GIT_DIR: keptOf(project) } })).toBe(
      head,
    );
});

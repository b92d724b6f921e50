import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGitContainer, type GitContainer } from "../testing/git-container";
import { commitFiles, git, mustGit, startGit, withToken } from "../testing/git-world";
import { forkPath } from "./repository-paths";
import { emptyTree, forkRef, type ForkName, type GitService } from "./types";

let service: GitContainer;
let folder: string;
beforeAll(async () => {
  service = await createGitContainer();
  folder = await mkdtemp(join(tmpdir(), "rhumbatron-git-container-"));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

let seed: { projectId: string; commit: string };

/** A fork of the one Project, for a new Run. */
async function createRun(
  client: GitService,
): Promise<{ fork: ForkName & { runId: string }; commit: string }> {
  const { projectId, commit } = seed;
  const runId = randomUUID();
  const fork = { projectId, forkName: `ws-${runId}`, runId };
  await client.createFork({ ...fork, startCommit: commit });
  return { fork, commit };
}

it("serves a person's push and a Run's whole round under bun, large packs too, in little memory", async () => {
  const { client, doorUrl } = service;
  const projectId = randomUUID();
  await client.createRepository({ projectId, defaultBranch: "main" });
  const source = join(folder, "source");
  await mustGit(["init", "-q", "-b", "main", source]);
  const commit = await commitFiles(source, { "big.bin": randomBytes(16 * 1024 * 1024), "a.txt": "a\n" });
  const word = await service.signer.sign("rhumbatron:git", { use: "people", projectId, right: "write" }, 60);
  await mustGit(["push", "-q", `${doorUrl}/${projectId}.git`, "main"], {
    cwd: source,
    env: {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "http.extraHeader",
      GIT_CONFIG_VALUE_0: `Authorization: Bearer ${word}`,
    },
  });
  seed = { projectId, commit };

  const { fork } = await createRun(client);
  const { token } = await client.mintFetchToken(fork);
  const directory = join(folder, fork.runId);
  await mustGit(["clone", "-q", `${doorUrl}${forkPath(fork)}`, directory], { env: withToken(token) });
  expect((await readFile(join(directory, "big.bin"))).length).toBe(16 * 1024 * 1024);
  const head = await commitFiles(directory, { "b.txt": "b\n", "noise.bin": randomBytes(4 * 1024 * 1024) });
  const push = await client.mintPushToken({ ...fork, ref: forkRef, oldCommit: commit, newCommit: head });
  await mustGit(["push", "-q", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(push.token) });
  await client.keepCommit({ ...fork, commit: head });
  await client.removeFork(fork);
  const range = { projectId, base: commit, head };
  expect((await client.diffFiles(range)).map(({ path, kind }) => [path, kind])).toEqual([
    ["b.txt", "text"],
    ["noise.bin", "binary"],
  ]);
  expect((await client.diffPatch({ ...range, path: "b.txt" })).patch).toContain("+b\n");
  expect(await client.testMerge({ projectId, branch: "main", head })).toEqual({ status: "fast_forward" });
  const first = { projectId, base: emptyTree, head: commit };
  expect((await client.diffStats(first)).filesChanged).toBe(2);
  const peak = await service.memoryBytesPeak();
  if (peak !== null) expect(peak).toBeLessThan(500 * 1024 * 1024);
});

it("leaves nothing of a push whose client vanished, and none of its processes", async () => {
  const { client, doorUrl } = service;
  const { fork, commit } = await createRun(client);
  const directory = join(folder, fork.runId);
  const { token } = await client.mintFetchToken(fork);
  await mustGit(["clone", "-q", `${doorUrl}${forkPath(fork)}`, directory], { env: withToken(token) });
  const head = await commitFiles(directory, { "noise.bin": randomBytes(12 * 1024 * 1024) });
  const mint = (): Promise<{ token: string }> =>
    client.mintPushToken({ ...fork, ref: forkRef, oldCommit: commit, newCommit: head });
  const push = startGit(["push", "-q", "origin", `HEAD:${forkRef}`], {
    cwd: directory,
    env: withToken((await mint()).token),
  });
  await expect.poll(() => service.find("tmp_objdir*"), { timeout: 20_000, interval: 20 }).not.toEqual([]);
  push.kill();
  await push.ended;
  await expect.poll(() => service.find("tmp_*"), { timeout: 20_000 }).toEqual([]);
  expect(await client.getForkHead(fork)).toEqual({ commit });

  const again = startGit(["push", "-q", "origin", `HEAD:${forkRef}`], {
    cwd: directory,
    env: withToken((await mint()).token),
  });
  await expect.poll(() => service.find("tmp_objdir*"), { timeout: 20_000, interval: 20 }).not.toEqual([]);
  const restarted = await service.killAndStart();
  await again.ended;
  expect(await service.find("tmp_*")).toEqual([]);
  expect(await restarted.client.getForkHead(fork)).toEqual({ commit });
  const third = await restarted.client.mintPushToken({
    ...fork,
    ref: forkRef,
    oldCommit: commit,
    newCommit: head,
  });
  const end = await git(["push", "-q", `${restarted.doorUrl}${forkPath(fork)}`, `HEAD:${forkRef}`], {
    cwd: directory,
    env: withToken(third.token),
  });
  expect(end).toMatchObject({ code: 0 });
  expect(await restarted.client.getForkHead(fork)).toEqual({ commit: head });
});

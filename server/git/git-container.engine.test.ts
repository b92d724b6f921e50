import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGitContainer, type GitContainer } from "../testing/git-container";
import { commitFiles, git, mustGit, withToken } from "../testing/git-world";
import { flushPacket, packetLine } from "./push-commands";
import { forkPath } from "./repository-paths";
import { emptyTree, forkRef, type ForkName, type GitService } from "./types";

let service: GitContainer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rhumbatron-git-container-"));
  service = await createGitContainer();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** More than all buffers between git and a client that does not read hold together. */
const seedBytes = 64 * 1024 * 1024;

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
  const { client, doorUrl } = service.current();
  const projectId = randomUUID();
  await client.createRepository({ projectId, defaultBranch: "main" });
  const source = join(folder, "source");
  await mustGit(["init", "-q", "-b", "main", source]);
  await mustGit(["config", "core.compression", "0"], { cwd: source });
  const commit = await commitFiles(source, { "big.bin": randomBytes(seedBytes), "a.txt": "a\n" });
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
  expect((await readFile(join(directory, "big.bin"))).length).toBe(seedBytes);
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
  expect(await client.testMerge({ projectId, branch: "main", head })).toMatchObject({
    status: "fast_forward",
  });
  const first = { projectId, base: emptyTree, head: commit };
  expect((await client.diffStats(first)).filesChanged).toBe(2);
  const wholes = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const side = { ...first, path: "big.bin", side: "new" as const, bytesMax: seedBytes };
      let bytes = 0;
      for await (const piece of (await client.openSide(side)).bytes) bytes += piece.length;
      return bytes;
    }),
  );
  expect(wholes).toEqual([seedBytes, seedBytes, seedBytes, seedBytes]);
  const peak = await service.memoryBytesPeak();
  if (peak !== null) expect(peak).toBeLessThan(500 * 1024 * 1024);
});

it("leaves nothing of a push whose client vanished, and none of its processes", async () => {
  const { client, doorUrl } = service.current();
  const { fork, commit } = await createRun(client);
  const directory = join(folder, fork.runId);
  const { token } = await client.mintFetchToken(fork);
  await mustGit(["clone", "-q", `${doorUrl}${forkPath(fork)}`, directory], { env: withToken(token) });
  const head = await commitFiles(directory, { "noise.bin": randomBytes(1024 * 1024) });
  const pack = await packOf(directory, head, commit);
  const pushHalf = async (): Promise<Socket> => {
    const { token: pushToken } = await client.mintPushToken({
      ...fork,
      ref: forkRef,
      oldCommit: commit,
      newCommit: head,
    });
    const commands = packetLine(`${commit} ${head} ${forkRef}\0report-status`);
    const body = Buffer.concat([commands, flushPacket, pack]);
    const socket = post(doorUrl, `${forkPath(fork)}/git-receive-pack`, pushToken, body.length);
    socket.write(body.subarray(0, body.length / 2));
    await expect.poll(() => service.find("tmp_objdir*"), { timeout: 20_000 }).not.toEqual([]);
    return socket;
  };
  (await pushHalf()).destroy();
  await expect.poll(() => service.find("tmp_*"), { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => service.gitProcesses(), { timeout: 10_000 }).toEqual([]);
  expect(await client.getForkHead(fork)).toEqual({ commit });

  const socket = await pushHalf();
  await service.killAndStart();
  socket.destroy();
  const restarted = service.current();
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

it("ends git when a client leaves in the middle of a clone", async () => {
  const { client, doorUrl } = service.current();
  const { fork, commit } = await createRun(client);
  const { token } = await client.mintFetchToken(fork);
  const want = packetLine(`want ${commit} side-band-64k\n`);
  const body = Buffer.concat([want, flushPacket, packetLine("done\n")]);
  const socket = post(doorUrl, `${forkPath(fork)}/git-upload-pack`, token, body.length);
  socket.write(body);
  await once(socket, "data");
  socket.pause();
  await expect.poll(() => service.gitProcesses(), { timeout: 10_000 }).not.toEqual([]);
  socket.destroy();
  await expect.poll(() => service.gitProcesses(), { timeout: 10_000 }).toEqual([]);
});

/** Begins a request of which the test decides how much is sent and read. */
function post(doorUrl: string, target: string, token: string, bodyBytes: number): Socket {
  const { hostname, port } = new URL(doorUrl);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const credentials = Buffer.from(`x:${token}`).toString("base64");
  socket.write(
    `POST ${target} HTTP/1.1\r\nHost: git\r\nAuthorization: Basic ${credentials}\r\nContent-Length: ${bodyBytes}\r\n\r\n`,
  );
  return socket;
}

/** The pack that a push of `head` over `base` sends. */
async function packOf(directory: string, head: string, base: string): Promise<Buffer> {
  const name = join(directory, ".git", "half");
  const id = await mustGit(["pack-objects", "-q", "--revs", name], {
    cwd: directory,
    input: `${head}\n^${base}\n`,
  });
  return readFile(`${name}-${id}.pack`);
}

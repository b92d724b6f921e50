import { randomUUID } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  cloneFork,
  commitFiles,
  createFork,
  createGitWorld,
  createProject,
  git,
  mustGit,
  startGit,
  withToken,
  type GitWorld,
} from "../testing/git-world";
import { flushPacket, packetLine } from "./push-commands";
import { forkPath } from "./repository-paths";
import { forkRef } from "./types";

const limits = { windowMs: 1_000, windowBytesMin: 100, runPushBytesMax: 512 * 1024, pushObjectsMax: 500 };

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld({ door: limits });
});
afterAll(async () => {
  await world.close();
});

type Fork = Awaited<ReturnType<typeof createFork>>;

interface Setting {
  project: Awaited<ReturnType<typeof createProject>>;
  fork: Fork;
  directory: string;
  commit: string;
}

/** A clone of a fresh fork with one new commit in it. */
async function prepare(files: Record<string, string | Buffer> = { "a.txt": "new\n" }): Promise<Setting> {
  const project = await createProject(world);
  const fork = await createFork(world, project);
  const directory = await cloneFork(world, fork);
  return { project, fork, directory, commit: await commitFiles(directory, files) };
}

const mintPush = async ({ fork, project, commit }: Setting): Promise<string> =>
  (await world.client.mintPushToken({ ...fork, ref: forkRef, oldCommit: project.commit, newCommit: commit }))
    .token;

const headOf = async (fork: Fork): Promise<string | undefined> =>
  (await world.client.getForkHead(fork))?.commit;

/** One raw request; nothing is normalised on the way. */
function raw(
  target: string,
  options: {
    method?: string;
    token?: string;
    bearer?: string;
    headers?: Record<string, string>;
    body?: Buffer;
  } = {},
): Promise<{ status: number; body: Buffer; headers: Record<string, unknown> }> {
  const { hostname, port } = new URL(world.doorUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path: target, method: options.method ?? "GET" },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(pieces),
            headers: response.headers,
          }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    if (options.token !== undefined)
      request.setHeader("authorization", `Basic ${Buffer.from(`x:${options.token}`).toString("base64")}`);
    if (options.bearer !== undefined) request.setHeader("authorization", `Bearer ${options.bearer}`);
    for (const [name, value] of Object.entries(options.headers ?? {})) request.setHeader(name, value);
    request.end(options.body);
  });
}

const infoRefs = (path: string, service = "git-upload-pack"): string =>
  `${path}/info/refs?service=${service}`;

afterEach(async () => {
  // Whatever a test did: no quarantine, temporary pack or lock is left in any repository.
  await expect.poll(() => findLeftovers(world.repositories)).toEqual([]);
});

async function findLeftovers(root: string): Promise<string[]> {
  const all = await readdir(root, { recursive: true });
  return all.filter((path) => /tmp_|incoming|\.lock$/.test(path));
}

/** GSV-01, GSV-02: if one of these fails, an agent can change what is not its own. */
describe("a push token moves its one ref from old to new and nothing else", () => {
  const forbidden: [string, (setting: Setting) => string[]][] = [
    ["main", () => ["HEAD:refs/heads/main"]],
    ["a tag", () => ["HEAD:refs/tags/v1"]],
    ["HEAD", () => ["HEAD:HEAD"]],
    ["refs/replace", (setting) => [`HEAD:refs/replace/${setting.project.commit}`]],
    ["refs/notes", () => ["HEAD:refs/notes/commits"]],
    ["refs/changes", () => ["HEAD:refs/changes/01/1/1"]],
    ["a deletion", () => [`:${forkRef}`]],
    ["the allowed and another one", () => [`HEAD:${forkRef}`, "HEAD:refs/heads/other"]],
    ["the same, atomic", () => ["--atomic", `HEAD:${forkRef}`, "HEAD:refs/heads/other"]],
    ["another commit than announced", () => [`HEAD~1:${forkRef}`]],
  ];
  it.each(forbidden)(
    "refuses %s with a report, all or nothing, and stays usable",
    async (_name, refspecs) => {
      const setting = await prepare();
      await commitFiles(setting.directory, { "b.txt": "b\n" });
      await mustGit(["reset", "-q", "--hard", setting.commit], { cwd: setting.directory });
      const announced = await mintPush(setting);
      const push = await git(["push", "--porcelain", "origin", "--force", ...refspecs(setting)], {
        cwd: setting.directory,
        env: withToken(announced),
      });
      if (_name === "another commit than announced")
        expect(push.stdout + push.stderr).toMatch(/up to date|rejected/);
      else {
        expect(push.code).not.toBe(0);
        expect(push.stdout).toContain("[remote rejected]");
      }
      expect(await headOf(setting.fork)).toBe(setting.project.commit);
      const directory = join(
        world.repositories,
        setting.project.projectId,
        "forks",
        `${setting.fork.forkName}.git`,
      );
      expect(await mustGit(["for-each-ref", "--format=%(refname)"], { env: { GIT_DIR: directory } })).toBe(
        forkRef,
      );
      await mustGit(["push", "-q", "origin", `HEAD:${forkRef}`], {
        cwd: setting.directory,
        env: withToken(announced),
      });
      expect(await headOf(setting.fork)).toBe(setting.commit);
    },
  );

  it("refuses what is not a fast-forward, also when exactly that was announced", async () => {
    const setting = await prepare();
    await mustGit(["checkout", "-q", "--orphan", "other"], { cwd: setting.directory });
    const commit = await commitFiles(setting.directory, { "c.txt": "c\n" });
    const push = await git(["push", "--porcelain", "--force", "origin", `HEAD:${forkRef}`], {
      cwd: setting.directory,
      env: withToken(await mintPush({ ...setting, commit })),
    });
    expect(push.stdout).toContain("non-fast-forward");
    expect(await headOf(setting.fork)).toBe(setting.project.commit);
  });
});

/** TOK-01, TOK-05, TOK-06, TOK-09: if one of these fails, a token works where or when it must not. */
describe("a Run's token", () => {
  it("gets one and the same 401 when it is wrong, used, revoked, for another use, fork or service", async () => {
    const setting = await prepare();
    const sibling = await createFork(world, setting.project);
    const { token: fetchToken } = await world.client.mintFetchToken(setting.fork);
    const pushToken = await mintPush(setting);
    const own = forkPath(setting.fork);
    const sign = (audience: "rhumbatron:git" | "rhumbatron:egress", claims: object): Promise<string> =>
      world.signer.sign(audience, { ...claims }, 60);
    const run = { use: "run", jti: randomUUID(), ...setting.fork, grant: { right: "fetch" } };
    const answers = await Promise.all([
      raw(infoRefs(own)),
      raw(infoRefs(own), { token: "nonsense" }),
      raw(infoRefs(own), { token: `${fetchToken.slice(0, -2)}AA` }),
      raw(infoRefs(forkPath(sibling)), { token: fetchToken }),
      raw(infoRefs(`/${setting.project.projectId}.git`), { token: fetchToken }),
      raw(infoRefs(`/${randomUUID()}/${setting.fork.forkName}.git`), { token: fetchToken }),
      raw(infoRefs(own, "git-receive-pack"), { token: fetchToken }),
      raw(infoRefs(own), { token: pushToken }),
      raw(infoRefs(own), { token: await sign("rhumbatron:egress", run) }),
      raw(infoRefs(own), { token: await sign("rhumbatron:git", run) }),
      raw(infoRefs(own), { token: await sign("rhumbatron:git", { use: "control" }) }),
      raw(infoRefs(own), { bearer: fetchToken }),
      raw("/anything"),
    ]);
    for (const { status, body } of answers)
      expect({ status, body: body.toString() }).toEqual({ status: 401, body: "A Run token is required.\n" });
    expect((await raw(infoRefs(own), { token: fetchToken })).status).toBe(200);
    await world.client.revokeGrants(setting.fork);
    expect((await raw(infoRefs(own), { token: fetchToken })).status).toBe(401);
    expect((await raw(infoRefs(own, "git-receive-pack"), { token: pushToken })).status).toBe(401);
    const call = await fetch(`${world.controlUrl}/getHead`, {
      method: "POST",
      headers: { authorization: `Bearer ${fetchToken}` },
      body: JSON.stringify({ projectId: setting.project.projectId }),
    });
    expect(call.status).toBe(401);
  });

  it("clones once, and stands nowhere in the clone", async () => {
    const project = await createProject(world);
    const fork = await createFork(world, project);
    const { token } = await world.client.mintFetchToken(fork);
    const directory = join(world.folder, randomUUID());
    await mustGit(["clone", "-q", fork.url, directory], { env: withToken(token) });
    const again = await git(["clone", "-q", fork.url, `${directory}-2`], { env: withToken(token) });
    expect(again.code).not.toBe(0);
    for (const path of await readdir(directory, { recursive: true })) {
      const full = join(directory, path);
      if ((await stat(full)).isFile())
        expect((await readFile(full, "latin1")).includes(token.slice(-40))).toBe(false);
    }
  });

  it("dies with its fork, and a fork of the same name begins without it", async () => {
    const project = await createProject(world);
    const fork = await createFork(world, project);
    const { token } = await world.client.mintFetchToken(fork);
    await world.client.removeFork(fork);
    await world.client.removeFork(fork);
    expect(await world.client.getForkHead(fork)).toBeNull();
    await world.client.createFork({ ...fork, startCommit: project.commit });
    expect((await raw(infoRefs(forkPath(fork)), { token })).status).toBe(401);
  });
});

/** GSV-04: if this fails, a path leads to a repository or file by another way than its ids. */
it("answers 404 to every other spelling of a path and to every file of a repository", async () => {
  const { project, fork } = await prepare();
  const { token } = await world.client.mintFetchToken(fork);
  const own = forkPath(fork);
  const targets = [
    infoRefs(`/${project.projectId}.git/..${own}`),
    infoRefs(own.replace("/ws-", "/%77s-")),
    infoRefs(own.replace("/ws-", "/%2e%2e/ws-")),
    infoRefs(own.replace("/ws-", "%2fws-")),
    infoRefs(`/${own}`),
    infoRefs(own.toUpperCase()),
    infoRefs(own.replace(".git", ".GIT")),
    infoRefs(`${own}.`),
    infoRefs(`${own}%00`),
    `${own}/info/refs`,
    `${own}/info/refs?service=git-upload-archive`,
    `${own}/info/refs?service=git-upload-pack&x=1`,
    `${own}/config`,
    `${own}/HEAD`,
    `${own}/objects/info/packs`,
    `${own}/git-upload-archive`,
    `${own}/`,
    own,
  ];
  for (const target of targets)
    expect({ target, status: (await raw(target, { token })).status }).toEqual({ target, status: 404 });
  expect((await raw(infoRefs(own), { token, method: "DELETE" })).status).toBe(404);
});

/** GSV-09: if this fails, a Run reads what another one proposed, or whatever else the store holds. */
it("serves only what the fork's own ref reaches, in every protocol version", async () => {
  const setting = await prepare({ "secret.txt": "of another fork\n" });
  const token = await mintPush(setting);
  await mustGit(["push", "-q", "origin", `HEAD:${forkRef}`], {
    cwd: setting.directory,
    env: withToken(token),
  });
  await world.client.keepCommit({ ...setting.fork, commit: setting.commit });
  const hidden = await commitFiles(setting.project.source, { "other-branch.txt": "x\n" });
  const canonical = join(world.repositories, setting.project.projectId, "canonical.git");
  await mustGit(["push", "-q", canonical, "HEAD:refs/heads/other"], { cwd: setting.project.source });
  const fork = await createFork(world, setting.project);
  for (const wanted of [setting.commit, hidden]) {
    for (const version of [0, 2]) {
      const { token: fetchToken } = await world.client.mintFetchToken(fork);
      const directory = join(world.folder, randomUUID());
      await mustGit(["init", "-q", directory]);
      const end = await git(["-c", `protocol.version=${version}`, "fetch", "-q", fork.url, wanted], {
        cwd: directory,
        env: withToken(fetchToken),
      });
      expect(end.code).not.toBe(0);
    }
    const { token: rawToken } = await world.client.mintFetchToken(fork);
    const body = Buffer.concat([
      packetLine("command=fetch"),
      Buffer.from("0001"),
      packetLine(`want ${wanted}\n`),
      packetLine("done\n"),
      flushPacket,
    ]);
    const answer = await raw(`${forkPath(fork)}/git-upload-pack`, {
      method: "POST",
      token: rawToken,
      headers: { "git-protocol": "version=2", "content-type": "application/x-git-upload-pack-request" },
      body,
    });
    expect(answer.body.includes("PACK")).toBe(false);
    const old = Buffer.concat([
      packetLine(`want ${wanted} no-progress\n`),
      flushPacket,
      packetLine("done\n"),
    ]);
    for (const [bytes, headers] of [
      [old, {}],
      [gzipSync(old), { "content-encoding": "gzip" }],
    ] as const) {
      const refused = await raw(`${forkPath(fork)}/git-upload-pack`, {
        method: "POST",
        token: rawToken,
        headers,
        body: bytes,
      });
      expect(refused.body.toString()).toContain("not our ref");
    }
  }
});

/** GSV-05, GSV-07: if one of these fails, a push costs more than it may, or leaves a broken object behind. */
describe("a push that must not be taken", () => {
  const head = ({ project, commit }: Setting): Buffer =>
    Buffer.concat([
      packetLine(`${project.commit} ${commit} ${forkRef}\0report-status side-band-64k`),
      flushPacket,
    ]);

  it("is cut when it is too large, and nothing of it stays", async () => {
    const noise = Buffer.from(Array.from({ length: 2_000_000 }, () => Math.floor(Math.random() * 256)));
    const setting = await prepare({ "noise.bin": noise });
    const token = await mintPush(setting);
    const push = await git(["push", "origin", `HEAD:${forkRef}`], {
      cwd: setting.directory,
      env: withToken(token),
    });
    expect(push.code).not.toBe(0);
    expect(await headOf(setting.fork)).toBe(setting.project.commit);
  });

  it("is cut when it unpacks to too much, comes too slowly, or holds too many objects", async () => {
    const setting = await prepare();
    const token = await mintPush(setting);
    const target = `${forkPath(setting.fork)}/git-receive-pack`;
    const pack = Buffer.concat([Buffer.from("PACK\0\0\0\u0002", "latin1"), Buffer.from([0, 0, 0, 1])]);
    const bomb = gzipSync(Buffer.concat([head(setting), pack, Buffer.alloc(4_000_000)]));
    const big = await raw(target, {
      method: "POST",
      token,
      headers: { "content-encoding": "gzip" },
      body: bomb,
    });
    expect(big.status === 413 || big.body.includes("unpack")).toBe(true);
    const many = Buffer.concat([Buffer.from("PACK\0\0\0\u0002", "latin1"), Buffer.from([0, 0, 0xff, 0xff])]);
    const refused = await raw(target, { method: "POST", token, body: Buffer.concat([head(setting), many]) });
    expect(refused.body.toString()).toContain("too many objects");
    expect((await sendSlowly(target, token, Buffer.from("0fff"))).status).toBe(408);
    expect(await headOf(setting.fork)).toBe(setting.project.commit);
  });

  const hostile: [string, (directory: string) => Promise<string>][] = [
    [".git as a name", (directory) => hostileTree(directory, "100644", ".git")],
    [".GIT as a name", (directory) => hostileTree(directory, "100644", ".GIT")],
    ["git~1 as a name", (directory) => hostileTree(directory, "100644", "git~1")],
    ["an ignored character in .git", (directory) => hostileTree(directory, "100644", ".g\u200cit")],
    ["dot dot", (directory) => hostileTree(directory, "100644", "..")],
    ["a padded mode", (directory) => hostileTree(directory, "0100644", "a")],
    [".gitmodules as a link", (directory) => hostileTree(directory, "120000", ".gitmodules")],
    [
      "a .gitmodules that is an option",
      (directory) =>
        hostileTree(
          directory,
          "100644",
          ".gitmodules",
          '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=x\n',
        ),
    ],
  ];
  it.each(hostile)("is refused for %s", async (_name, build) => {
    const setting = await prepare();
    const tree = await build(setting.directory);
    const commit = await mustGit(["commit-tree", tree, "-p", setting.project.commit, "-m", "x"], {
      cwd: setting.directory,
    });
    const token = await mintPush({ ...setting, commit });
    const push = await git(["push", "--porcelain", "origin", `${commit}:${forkRef}`], {
      cwd: setting.directory,
      env: withToken(token),
    });
    expect(push.code).not.toBe(0);
    expect(push.stdout + push.stderr).toMatch(/unpack|index-pack/);
    expect(await headOf(setting.fork)).toBe(setting.project.commit);
  });
});

/** GSV-12, GSV-14: if one of these fails, a race or a client that went away costs data or a process. */
describe("what happens at once", () => {
  it("lets one of two pushes win and tells the other to fetch first", async () => {
    const setting = await prepare();
    const other = await commitFiles(setting.directory, { "other.txt": "o\n" });
    const tokens = [await mintPush(setting), await mintPush({ ...setting, commit: other })];
    const push = (token: string | undefined, commit: string): ReturnType<typeof git> =>
      git(["push", "--porcelain", "origin", `${commit}:${forkRef}`], {
        cwd: setting.directory,
        env: withToken(token ?? ""),
      });
    const ends = await Promise.all([push(tokens[0], setting.commit), push(tokens[1], other)]);
    const won = ends.filter(({ code }) => code === 0);
    expect(won.length).toBe(1);
    expect([setting.commit, other]).toContain(await headOf(setting.fork));
  });

  it("leaves nothing behind when clients vanish in a clone or a push, or the fork does", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, `${randomUUID()}\n`.repeat(20)]),
    );
    const setting = await prepare(files);
    for (let round = 0; round < 6; round += 1) {
      const { token } = await world.client.mintFetchToken(setting.fork);
      const clone = startGit(["clone", "-q", setting.fork.url, join(world.folder, randomUUID())], {
        cwd: "/",
        env: withToken(token),
      });
      const push = startGit(["push", "-q", "origin", `HEAD:${forkRef}`], {
        cwd: setting.directory,
        env: withToken(await mintPush(setting)),
      });
      const isServed = async (): Promise<void> => {
        while ((await gitProcessesOn(setting.project.projectId)).length < 1 + (round % 2));
      };
      await Promise.race([isServed(), clone.ended, push.ended]);
      clone.kill();
      push.kill();
      await Promise.all([clone.ended, push.ended]);
    }
    const push = git(["push", "-q", "origin", `HEAD:${forkRef}`], {
      cwd: setting.directory,
      env: withToken(await mintPush(setting)),
    });
    await world.client.removeFork(setting.fork);
    await push;
    expect(await world.client.getForkHead(setting.fork)).toBeNull();
    await expect.poll(() => gitProcessesOn(setting.project.projectId), { timeout: 10_000 }).toEqual([]);
    const kept = join(world.repositories, setting.project.projectId, "canonical.git");
    expect((await git(["fsck", "--full"], { env: { GIT_DIR: kept } })).code).toBe(0);
  });
});

/** Command lines of processes that name the Project. */
async function gitProcessesOn(projectId: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(projectId) && line.includes("stateless-rpc"));
}

async function hostileTree(directory: string, mode: string, name: string, content = "x\n"): Promise<string> {
  const blob = await mustGit(["hash-object", "-w", "--stdin"], { cwd: directory, input: content });
  const tree = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, "hex")]);
  return mustGit(["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], {
    cwd: directory,
    input: tree,
  });
}

/** Sends the first bytes, then one byte now and then, until the service has had enough. */
function sendSlowly(target: string, token: string, first: Buffer): Promise<{ status: number }> {
  const { hostname, port } = new URL(world.doorUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path: target, method: "POST" }, (response) => {
      clearInterval(drip);
      response.resume();
      response.once("close", () => resolve({ status: response.statusCode ?? 0 }));
    });
    request.setHeader("authorization", `Basic ${Buffer.from(`x:${token}`).toString("base64")}`);
    request.on("error", reject);
    request.write(first);
    const drip = setInterval(() => request.write("x"), 100);
  });
}

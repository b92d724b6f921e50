import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { commitFiles, createGitWorld, mustGit, type GitWorld } from "../testing/git-world";
import type { ImportStatus } from "./types";

const password = "TEST TOKEN+123";
const said: string[] = [];
const logger = {
  info: (fields: object, message: string) => void said.push(JSON.stringify(fields) + message),
  warn: (fields: object, message: string) => void said.push(JSON.stringify(fields) + message),
  error: (fields: object, message: string) => void said.push(JSON.stringify(fields) + message),
  child: () => logger,
};

let world: GitWorld;
let source: Server;
let port = 0;
let hold: ((response: ServerResponse) => boolean) | null = null;
const seen: IncomingMessage[] = [];

/** git over HTTP, or plain files where it is asked for `/files`, for who says the password. */
beforeAll(async () => {
  world = await createGitWorld({
    importAllowedHosts: ["source.test"],
    resolve: (host) =>
      host.endsWith(".test") ? Promise.resolve(["127.0.0.1"]) : Promise.reject(new Error("unknown")),
    logger,
  });
  const work = join(world.folder, "work");
  await mustGit(["init", "-q", "-b", "trunk", work]);
  await commitFiles(work, {
    "a.txt": "a\n",
    ".gitmodules": '[submodule "m"]\n\tpath = m\n\turl = http://elsewhere.test/m.git\n',
  });
  await mustGit(["tag", "v1"], { cwd: work });
  await mustGit(["branch", "side"], { cwd: work });
  const bare = join(world.folder, "bare.git");
  await mustGit(["clone", "-q", "--bare", work, bare]);
  const files = join(world.folder, "files.git");
  await mustGit(["clone", "-q", "--bare", work, files]);
  await mustGit(["update-server-info"], { env: { GIT_DIR: files } });
  const expected = `Basic ${Buffer.from(`x-access-token:${password}`).toString("base64")}`;
  source = createServer((request, response) => {
    seen.push(request);
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    } else if (path.startsWith("/moved.git")) {
      response.writeHead(302, { location: `http://127.0.0.1:${port}${path.replace("moved", "bare")}` }).end();
    } else if (hold?.(response) !== true) serve(request, response, path);
  });
  source.listen(0, "127.0.0.1");
  await once(source, "listening");
  port = (source.address() as AddressInfo).port;
});
afterEach(() => {
  hold = null;
});
afterAll(async () => {
  source.closeAllConnections();
  source.close();
  await world.close();
});

function serve(request: IncomingMessage, response: ServerResponse, path: string): void {
  const [, name = "", rest = ""] = /^\/([a-z.]+\.git)\/(.*)$/.exec(path) ?? [];
  const directory = join(world.folder, name);
  if (!existsSync(directory)) response.writeHead(404).end();
  else if (name === "files.git") {
    void readFile(join(directory, rest)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  } else {
    const isFirst = rest === "info/refs";
    const step = isFirst ? ["--advertise-refs"] : [];
    response.setHeader(
      "content-type",
      `application/x-git-upload-pack-${isFirst ? "advertisement" : "result"}`,
    );
    if (isFirst) response.write("001e# service=git-upload-pack\n0000");
    const child = spawn("git", ["upload-pack", "--stateless-rpc", ...step, directory]);
    child.stdout.pipe(response);
    const body = request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
    body.pipe(child.stdin);
  }
}

const urlOf = (path: string, host = "source.test"): string =>
  `http://x-access-token:${encodeURIComponent(password)}@${host}:${port}/${path}`;

async function importTo(projectId: string, url: string): Promise<ImportStatus> {
  await world.client.importRepository({ projectId, url, defaultBranch: "main" });
  await expect
    .poll(async () => (await world.client.importStatus({ projectId }))?.state, { timeout: 20_000 })
    .not.toBe("running");
  const status = await world.client.importStatus({ projectId });
  if (status === null) throw new Error("no status");
  return status;
}

/** Every form in which the password could stand anywhere. */
const forms = [
  password,
  encodeURIComponent(password),
  Buffer.from(`x-access-token:${password}`).toString("base64"),
];

async function expectNoPassword(status: ImportStatus, projectId: string): Promise<void> {
  const texts = [JSON.stringify(status), ...said];
  for (const path of await readdir(join(world.repositories, projectId), { recursive: true })) {
    texts.push(await readFile(join(world.repositories, projectId, path), "latin1").catch(() => ""));
  }
  for (const form of forms) expect(texts.filter((text) => text.includes(form))).toEqual([]);
}

describe("an import", () => {
  it("brings branches, tags and the source's default branch, no submodule, and keeps no credential", async () => {
    const projectId = randomUUID();
    const status = await importTo(projectId, urlOf("bare.git"));
    expect(status).toMatchObject({ state: "done", percent: 100 });
    await expectNoPassword(status, projectId);
    const head = await world.client.getHead({ projectId });
    expect(head.branch).toBe("trunk");
    const canonical = join(world.repositories, projectId, "canonical.git");
    expect(await mustGit(["for-each-ref", "--format=%(refname)"], { env: { GIT_DIR: canonical } })).toBe(
      "refs/heads/side\nrefs/heads/trunk\nrefs/tags/v1",
    );
    expect(
      await world.client.importRepository({ projectId, url: urlOf("none.git"), defaultBranch: "main" }),
    ).toMatchObject({
      state: "done",
    });
  });

  /** AT-01: if this fails, a password for somebody's repository lies in a log, a file or a page. */
  it("says which source failed and why, without the credentials in any form, and can be tried anew", async () => {
    const projectId = randomUUID();
    const status = await importTo(projectId, urlOf("none.git"));
    expect(status.state).toBe("failed");
    expect(status.detail).toContain(
      `http://source.test:${port}/none.git could not be imported: there is no such`,
    );
    await expectNoPassword(status, projectId);
    const wrong = await importTo(
      projectId,
      urlOf("bare.git").replace(encodeURIComponent(password), "guess123"),
    );
    expect(wrong.detail).toContain("credentials");
    expect(wrong.detail).not.toContain("guess123");
    expect((await importTo(projectId, urlOf("bare.git"))).state).toBe("done");
  });

  /** If this fails, whoever names an address makes the service knock at the private network's doors. */
  it("refuses other protocols, private addresses by number or name, and redirects", async () => {
    const before = seen.length;
    const refused: [string, RegExp][] = [
      ["file:///etc", /Only http/],
      ["ext::sh -c id", /not an address|Only http/],
      ["ssh://git@source.test/x", /Only http/],
      [urlOf("bare.git", "127.0.0.1"), /refused range \(loopback\)/],
      [urlOf("bare.git", "2130706433"), /refused range \(loopback\)/],
      [urlOf("bare.git", "[::ffff:127.0.0.1]"), /refused range/],
      [urlOf("bare.git", "private.test"), /refused range \(loopback\)/],
      [urlOf("bare.git", "unknown.invalid"), /could not be resolved/],
    ];
    for (const [url, reason] of refused) {
      const status = await importTo(randomUUID(), url);
      expect(status.state).toBe("failed");
      expect(status.detail).toMatch(reason);
    }
    expect(seen.length).toBe(before);
    const moved = await importTo(randomUUID(), urlOf("moved.git"));
    expect(moved.detail).toMatch(/redirects to another address/);
  });

  it("that was broken off by a stop of the service says so, leaves nothing, and starts anew", async () => {
    const projectId = randomUUID();
    let isHeld = false;
    hold = () => (isHeld = true);
    await world.client.importRepository({ projectId, url: urlOf("bare.git"), defaultBranch: "main" });
    await expect.poll(() => isHeld).toBe(true);
    await world.restart();
    hold = null;
    expect(await world.client.importStatus({ projectId })).toMatchObject({ state: "failed" });
    expect(await readdir(join(world.repositories, ".scratch"))).toEqual([]);
    expect((await importTo(projectId, urlOf("bare.git"))).state).toBe("done");
  });

  it("refuses a server of plain files, whose objects git would not check", async () => {
    expect((await importTo(randomUUID(), urlOf("files.git"))).detail).toContain("smart protocol");
  });

  it("refuses a history with a hostile tree", async () => {
    const work = join(world.folder, "hostile");
    await mustGit(["init", "-q", "-b", "main", work]);
    const blob = await mustGit(["hash-object", "-w", "--stdin"], { cwd: work, input: "x" });
    const entry = Buffer.concat([Buffer.from("100644 .GIT\0"), Buffer.from(blob, "hex")]);
    const tree = await mustGit(["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], {
      cwd: work,
      input: entry,
    });
    const commit = await mustGit(["commit-tree", tree, "-m", "x"], { cwd: work });
    await mustGit(["update-ref", "refs/heads/main", commit], { cwd: work });
    await mustGit(["clone", "-q", "--bare", work, join(world.folder, "hostile.git")]);
    const status = await importTo(randomUUID(), urlOf("hostile.git"));
    expect(status.detail).toMatch(/could not be imported: it holds objects that are refused/);
  });
});

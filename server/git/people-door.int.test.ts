import { actorOf } from "../testing/actor-of";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../access/types";
import {
  commitFiles,
  createFork,
  createGitWorld,
  createProject,
  git,
  mustGit,
  withToken,
  type GitWorld,
} from "../testing/git-world";
import { answerPeopleGit, cloneUrlOf } from "./people-door";

const tokenOf = (letter: string): string => `rhb_${letter.repeat(43)}`;

let world: GitWorld;
let web: Server;
let publicUrl: string;

/** As Next hands a request to a route, and sends its answer. */
beforeAll(async () => {
  world = await createGitWorld();
  const callers: Record<string, Caller> = {
    [tokenOf("a")]: { role: "admin", actor: actorOf("a") },
    [tokenOf("r")]: { role: "reviewer", actor: actorOf("r") },
    [tokenOf("g")]: { role: "agent", actor: actorOf("g"), projectId: "p", changeId: null },
  };
  const deps = {
    doorUrl: world.doorUrl,
    signer: world.signer,
    findCaller: (token: string) => Promise.resolve(callers[token] ?? null),
  };
  web = createServer((incoming, outgoing) => {
    const hasBody = incoming.method === "POST";
    const init: RequestInit & { duplex: "half" } = {
      method: incoming.method ?? "GET",
      headers: Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === "string" && !["connection", "transfer-encoding", "expect"].includes(name)
          ? [[name, value]]
          : [],
      ),
      duplex: "half",
      ...(hasBody ? { body: Readable.toWeb(incoming) as unknown as ReadableStream } : {}),
    };
    void answerPeopleGit(new Request(`${publicUrl}${incoming.url ?? ""}`, init), deps).then(
      async (answer) => {
        outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
        if (answer.body !== null)
          await pipeline(Readable.fromWeb(answer.body as unknown as WebStream), outgoing);
        else outgoing.end();
      },
    );
  });
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  publicUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await world.close();
});

const as = (letter: string): Record<string, string> => withToken(tokenOf(letter));

/** If one of these fails, somebody reads or changes a canonical repository who may not. */
describe("people's git", () => {
  it("lets reviewers and admins clone, admins push by force, with deletions and large packs, and nobody else", async () => {
    const project = await createProject(world);
    const url = cloneUrlOf(`${publicUrl}/`, project.projectId);
    const clone = (letter: string): ReturnType<typeof git> =>
      git(["clone", "-q", url, join(world.folder, `${letter}-${project.projectId}`)], { env: as(letter) });
    expect((await clone("a")).code).toBe(0);
    expect((await clone("r")).code).toBe(0);
    for (const letter of ["g", "x"])
      expect((await clone(letter)).stderr).toMatch(/Authentication failed|could not read/);

    const directory = join(world.folder, `a-${project.projectId}`);
    await commitFiles(directory, { "big.bin": randomBytes(3 * 1024 * 1024) });
    expect((await git(["push", "-q", "origin", "main"], { cwd: directory, env: as("r") })).stderr).toContain(
      "403",
    );
    await mustGit(["push", "-q", "origin", "main", "HEAD:refs/heads/side", "HEAD:refs/tags/v1"], {
      cwd: directory,
      env: as("a"),
    });
    await mustGit(["reset", "-q", "--hard", "HEAD~1"], { cwd: directory });
    const forced = await commitFiles(directory, { "other.txt": "o\n" });
    await mustGit(["push", "-q", "--force", "origin", "main", ":refs/heads/side"], {
      cwd: directory,
      env: as("a"),
    });
    expect(await world.client.getBranch({ projectId: project.projectId, branch: "main" })).toEqual({
      commit: forced,
    });
    expect(await world.client.getBranch({ projectId: project.projectId, branch: "side" })).toBeNull();
    for (const ref of ["refs/notes/x", "refs/replace/x", "refs/kept/x"]) {
      const push = await git(["push", "--porcelain", "origin", `HEAD:${ref}`], {
        cwd: directory,
        env: as("a"),
      });
      expect(push.stdout).toContain("only branches and tags can be pushed");
    }
  });

  it("challenges whoever has no token, and finds nothing but the smart paths of canonical repositories", async () => {
    const project = await createProject(world);
    const fork = await createFork(world, project);
    const ask = (path: string, letter = "a"): Promise<Response> =>
      fetch(`${publicUrl}${path}`, {
        headers: { authorization: `Basic ${Buffer.from(`x:${tokenOf(letter)}`).toString("base64")}` },
      });
    const refs = "info/refs?service=git-upload-pack";
    const anonymous = await fetch(`${publicUrl}/git/${project.projectId}.git/${refs}`);
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="Rhumbatron"',
    ]);
    expect(await anonymous.text()).toContain("as the password a token");
    expect((await ask(`/git/${project.projectId}.git/${refs}`)).status).toBe(200);
    const absent = [
      `/git/11111111-1111-4111-8111-111111111111.git/${refs}`,
      `/git/${project.projectId}/${fork.forkName}.git/${refs}`,
      `/git/${project.projectId}.git/HEAD`,
      `/git/${project.projectId}.git/config`,
      `/git/${project.projectId}.git/objects/info/packs`,
      `/git/${project.projectId}.git/info/refs`,
      `/git/x/%2e%2e/${project.projectId}.git%2finfo/refs`,
      `/git//${project.projectId}.git/${refs}`,
      `/git/${project.projectId.toUpperCase()}.git/${refs}`,
    ];
    for (const path of absent)
      expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 404 });
  });
});

import { mkdir, symlink, writeFile, chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mustGit } from "../../testing/git-world";
import { testRuntimes } from "../../testing/int-environment";
import { openTestRun, type OpenRun } from "../../testing/workspace-run";
import type { WorkspaceProcess } from "../../testing/workspace-process";
import {
  createWorkspaceWorld,
  type WorkspaceProject,
  type WorkspaceWorld,
} from "../../testing/workspace-world";
import { sandboxIdOf } from "../runs/rules";
import { hashBytes } from "./content";

describe.each(testRuntimes)("on %s", (runtime) => {
  let world: WorkspaceWorld;
  let one: WorkspaceProcess;
  let two: WorkspaceProcess;
  beforeAll(async () => {
    world = await createWorkspaceWorld(runtime);
    one = world.startProcess();
    two = world.startProcess();
  });
  afterAll(() => world.close());

  const scripts = {
    mess: "rm -rf a d link && mkdir a && echo x > d && mkdir link && mkdir -p made && echo y > made/by-command",
  };
  const createProject = (): Promise<WorkspaceProject> =>
    world.createProject(
      {
        "package.json": JSON.stringify({ scripts }),
        a: "a file\n",
        "d/one": "1\n",
        "d/two": "2\n",
        "bom.ts": "\ufeffexport const v = 1;\n",
        "crlf.txt": "const a = 1;\r\nconst b = 2;\r\nconst c = 3;\r\n",
        ".gitignore": "*.log\nignored/\n",
      },
      async (source) => {
        await mkdir(join(source, "bin"));
        await writeFile(join(source, "bin/run.sh"), "#!/bin/sh\necho one\n");
        await chmod(join(source, "bin/run.sh"), 0o755);
        await symlink("/etc", join(source, "link"));
        await writeFile(join(source, "tracked.log"), "tracked though ignored\n");
        await mustGit(["add", "--force", "tracked.log"], { cwd: source });
        const entry = `160000,${"1".repeat(40)},vendor/lib`;
        await mustGit(["update-index", "--add", "--cacheinfo", entry], { cwd: source });
        await mkdir(join(source, "vendor/lib"), { recursive: true });
      },
    );

  const lose: Record<string, (project: WorkspaceProject) => Promise<void>> = {
    "the Sandbox was removed": async ({ projectId }) => {
      await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(projectId) });
    },
    "its container was killed": async ({ projectId }) => {
      await world.engine.docker.getContainer(await world.findContainer(projectId)).kill();
    },
    "its container was removed behind everything's back": async ({ projectId }) => {
      await world.engine.docker.getContainer(await world.findContainer(projectId)).remove({ force: true });
    },
  };

  it.each(Object.keys(lose))("what was acknowledged is there byte for byte after %s", async (how) => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    const binary = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256));
    await run.edit("bom.ts", "export const v = 1;", "export const v = 2;");
    await run.edit("crlf.txt", "const b = 2;\r\nconst c", "const b = 20;\r\nconst c");
    await run.edit("bin/run.sh", "one", "two");
    await run.write("deep/er/und/größe %_1.bin", binary);
    await run.write("tool.sh", "#!/bin/sh\n", { executable: true });
    await run.write("x_y/kept", "kept\n");
    await run.write("xzy/kept", "kept too\n");
    await run.write("x_y/gone", "gone\n");
    await run.remove("x_y/gone");
    await run.remove("d", true);
    await run.write("d", "a file where a directory was\n");
    await run.remove("a");
    await run.write("a/b", "a directory where a file was\n");
    await run.remove("link");
    await run.write("link/in", "a directory where a link was\n");
    await run.write("half.txt", "no line feed");
    await run.write("empty.txt", "");
    const command = await run.run("ls -R");
    if (command.status !== "exited") throw new Error(command.status);
    const before = await listAll(run);
    const contents = await readAll(run, before);

    await lose[how]?.(project);
    // Whatever the call that wakes the workspace comes to, it is told of the restoration.
    const rejected = await run.run("bun run no-such-script", { through: two });
    expect(rejected).toMatchObject({ status: "rejected", restored: { commandsNotReplayed: [] } });
    expect((await run.read("half.txt")).restored).toBeUndefined();
    expect(await listAll(run)).toEqual(before);
    expect(await readAll(run, before)).toEqual(contents);
    expect(contents["bom.ts"]?.toString("latin1")).toBe("ï»¿export const v = 2;\n");
    expect(contents["crlf.txt"]?.toString()).toBe("const a = 1;\r\nconst b = 20;\r\nconst c = 3;\r\n");
    expect(before.find(({ path }) => path === "bin/run.sh")).toMatchObject({ mode: "0755" });
    expect(before.find(({ path }) => path === "tool.sh")).toMatchObject({ mode: "0755" });
    expect(await one.workspaces.getRun(run.agent, run.runId)).toMatchObject({ restoreCount: 1 });
    await run.close();
  });

  it("a restoration names the commands whose files are gone, and puts back what tools wrote where those had made room", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    const command = await run.run("bun run mess");
    if (command.status !== "exited") throw new Error(JSON.stringify(command));
    await run.write("a/under", "1\n");
    await run.write("d", "2\n");
    await run.write("link/under", "3\n");
    await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(project.projectId) });
    const written = await run.write("after", "4\n", { through: two });
    expect(written.restored).toMatchObject({ commandsNotReplayed: [command.commandId] });
    for (const [path, content] of Object.entries({ "a/under": "1\n", d: "2\n", "link/under": "3\n" })) {
      expect((await run.read(path)).content).toBe(content);
    }
    await expect(run.read("made/by-command")).rejects.toMatchObject({ code: "file.not_found" });
    await run.close();
  });

  it("a call that fails right after a restoration says so all the same", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(project.projectId) });
    const error = await run.read("nowhere").catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: "file.not_found",
      details: { restored: { commandsNotReplayed: [] } },
    });
    await run.close();
  });

  it("lists what git does not ignore, page by page without a gap, and everything when asked", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    for (let n = 0; n < 40; n++) await run.write(`ignored/${n}`, "x");
    await run.write("note.log", "ignored");
    await run.write('odd "ü\\.log', "ignored too");
    await run.write(":(top)x", "a name like a pathspec");
    const whole = await list(run, { limit: 1_000, includeIgnored: false });
    const paths = whole.items.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining<string>(["tracked.log", ".gitignore", ":(top)x", "link"]));
    expect(paths.filter((path) => /^ignored|note\.log|^odd|\.git(\/|$)/.test(path))).toEqual([]);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(run, { limit: 3, includeIgnored: false, ...(cursor && { cursor }) });
      paged.push(...page.items.map(({ path }) => path));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(paths);
    const all = await list(run, { limit: 1_000, includeIgnored: true });
    expect(all.items.map(({ path }) => path)).toEqual(expect.arrayContaining(["ignored/7", "note.log"]));
    await run.close();
  });

  it("tells a submodule from a directory, and what lies in one does not keep git from saying what it ignores", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    await run.write("ignored/x", "x");
    await run.write("vendor/lib/deep/x", "x");
    const typesOf = async (page: { limit: number; includeIgnored: boolean; cursor?: string }) => {
      const { items } = await list(run, page);
      return Object.fromEntries(items.map(({ path, type }) => [path, type]));
    };
    const types = await typesOf({ limit: 1_000, includeIgnored: false });
    expect(types).toMatchObject({
      d: "directory",
      link: "symlink",
      vendor: "directory",
      "vendor/lib": "submodule",
      "vendor/lib/deep": "directory",
      "vendor/lib/deep/x": "file",
    });
    expect(Object.keys(types).filter((path) => path.startsWith("ignored"))).toEqual([]);
    const cursor = "vendor/lib/deep";
    expect(await typesOf({ limit: 1, includeIgnored: false, cursor })).toEqual({
      "vendor/lib/deep/x": "file",
    });
    const all = await typesOf({ limit: 1_000, includeIgnored: true });
    expect(all).toMatchObject({ "vendor/lib": "submodule", "ignored/x": "file" });
    await run.close();
  });

  it("follows no link and reaches nothing that is reserved or outside", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    await expect(run.read("link/passwd")).rejects.toMatchObject({ code: "path.outside_workspace" });
    await expect(run.write("link/x", "x")).rejects.toMatchObject({ code: "path.outside_workspace" });
    await expect(run.edit("link", "a", "b")).rejects.toMatchObject({ code: "path.outside_workspace" });
    for (const path of [".git/config", "sub/.GIT/hooks/x"])
      await expect(run.write(path, "x")).rejects.toMatchObject({ code: "path.reserved" });
    await expect(run.remove(".", true)).rejects.toMatchObject({ code: "path.reserved" });
    await expect(run.read("../x")).rejects.toMatchObject({ code: "path.outside_workspace" });
    await run.remove("link", true);
    expect(await world.shellIn(project.projectId, 0, "test -e /etc/passwd && echo there")).toBe("there\n");
    await run.close();
  });

  it("each change is kept with what it changed, as far as that can be shown", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    await run.write("new.txt", "one\ntwo\n");
    await run.write("new.txt", "one\n2\n");
    await run.edit("new.txt", "one", "1");
    await run.remove("new.txt");
    await run.write("binary", Buffer.from([0, 1]));
    await run.write("large.txt", "x\n".repeat(200_000));
    await run.write("large.txt", "small\n");
    await run.remove("d", true);
    const page = { runId: run.runId, after: 0, kinds: ["tool" as const], limit: 100 };
    const events = await one.workspaces.listEvents(run.agent, page);
    expect(events.map(({ data }) => [data["tool"], data["diff"]])).toEqual([
      ["write_file", diff(2, 0, "@@ -0,0 +1,2 @@\n+one\n+two")],
      ["write_file", diff(1, 1, "@@ -1,2 +1,2 @@\n one\n-two\n+2")],
      ["edit_file", diff(1, 1, "@@ -1,2 +1,2 @@\n-one\n+1\n 2")],
      ["delete_file", diff(0, 2, "@@ -1,2 +0,0 @@\n-1\n-2")],
      ["write_file", null],
      ["write_file", null],
      ["write_file", null],
      ["delete_file", null],
    ]);
    await run.close();
  });

  it("of many writers of one path, from two processes, the last in the database is the last in the Sandbox", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    const stale = hashBytes(Buffer.from("never there"));
    await run.write("race", "0");
    await expect(run.write("race", "x", { expectedSha256: stale })).rejects.toMatchObject({
      code: "conflict.stale",
    });
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        run.write("race", `${n}`.repeat(n + 1), { through: n % 2 === 0 ? one : two }),
      ),
    );
    const now = await run.bytes("race");
    const state = await world.db.fileState.findUniqueOrThrow({
      where: { runId_path: { runId: run.runId, path: "race" } },
    });
    expect(state.sha256).toBe(hashBytes(now));
    const swaps = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        run.write("race", `swap ${n}`, { expectedSha256: hashBytes(now), through: n % 2 === 0 ? one : two }),
      ),
    );
    expect(swaps.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await run.close();
  });

  it("writes that race with the loss of the Sandbox are either refused or there afterwards", async () => {
    const project = await createProject();
    const run = await openTestRun(world, one, project);
    const writes = Array.from({ length: 40 }, async (_, n) => {
      await world.clock.sleep(n * 15);
      return run.write(`race/${n}`, `${n}`, { through: n % 2 === 0 ? one : two });
    });
    await world.clock.sleep(200);
    await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(project.projectId) });
    const settled = await Promise.allSettled(writes);
    const failed = settled.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(failed).toEqual([]);
    for (const [n, { status }] of settled.entries()) {
      if (status === "fulfilled") expect((await run.read(`race/${n}`)).content).toBe(`${n}`);
    }
    expect(await one.workspaces.getRun(run.agent, run.runId)).toMatchObject({ restoreCount: 1 });
    await run.close();
  });

  const diff = (insertions: number, deletions: number, patch: string) => ({
    insertions,
    deletions,
    patch,
    truncated: false,
  });

  const list = (run: OpenRun, page: { limit: number; includeIgnored: boolean; cursor?: string }) =>
    one.workspaces.listFiles(run.agent, { runId: run.runId, path: ".", depth: 20, ...page });

  const listAll = async (run: OpenRun) =>
    (await list(run, { limit: 1_000, includeIgnored: true })).items
      .filter(({ path }) => !path.startsWith(".git/") && path !== ".git")
      .map(({ path, type, mode }) => ({ path, type, mode }));

  async function readAll(
    run: OpenRun,
    items: readonly { path: string; type: string }[],
  ): Promise<Record<string, Buffer>> {
    const contents: Record<string, Buffer> = {};
    for (const { path, type } of items) if (type === "file") contents[path] = await run.bytes(path);
    return contents;
  }
});

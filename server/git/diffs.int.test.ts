import { writeFile, chmod, rm, symlink, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
import { emptyTree, forkRef, type DiffFile } from "./types";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld();
});
afterAll(async () => {
  await world.close();
});

/** A Project with `before`, and a kept commit that `change` made of it in a Run's clone. */
async function propose(
  before: Readonly<Record<string, string | Buffer>>,
  change: (directory: string) => Promise<unknown>,
): Promise<{ projectId: string; base: string; head: string; kept: string }> {
  const project = await createProject(world, before);
  const fork = await createFork(world, project);
  const directory = await cloneFork(world, fork);
  await change(directory);
  const head = await commitFiles(directory, {});
  const { token } = await world.client.mintPushToken({
    ...fork,
    ref: forkRef,
    oldCommit: project.commit,
    newCommit: head,
  });
  await mustGit(["push", "--quiet", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(token) });
  await world.client.keepCommit({ ...fork, commit: head });
  await world.client.removeFork(fork);
  const kept = join(world.repositories, project.projectId, "kept.git");
  return { projectId: project.projectId, base: project.commit, head, kept };
}

const byPath = (rows: readonly DiffFile[]): Record<string, DiffFile> =>
  Object.fromEntries(rows.map((row) => [row.path, row]));

describe("the files of a diff", () => {
  it("names each file by its real name, and the patch of each is what git prints", async () => {
    const names = [
      "docs/Prüfung/Änderung 1.md",
      "한국어/파일.md",
      "a b.txt",
      'quo"te.txt',
      "tab\there.txt",
      "line\nfeed.txt",
      "-leading.txt",
      ":(glob)*.txt",
      "x b/x.txt",
      "back\\slash.txt",
      "star*.txt",
    ];
    const range = await propose(
      { "keep.txt": "1\n", "docs/Prüfung/Änderung 1.md": "old\n" },
      async (directory) => {
        for (const name of names) {
          await mkdir(join(directory, name, ".."), { recursive: true });
          await writeFile(join(directory, name), `content of ${name}\n`);
        }
      },
    );
    const rows = await world.client.diffFiles(range);
    expect(rows.map(({ path }) => path).sort()).toEqual([...names].sort());
    for (const { path } of rows) {
      const { patch, encoding, truncated } = await world.client.diffPatch({ ...range, path });
      const expected = await mustGit(["--literal-pathspecs", "diff", range.base, range.head, "--", path], {
        env: { GIT_DIR: range.kept },
      });
      expect(patch).toBe(`${expected}\n`);
      expect({ encoding, truncated }).toEqual({ encoding: "utf8", truncated: false });
    }
    expect(await world.client.diffStats(range)).toEqual({ filesChanged: 11, insertions: 12, deletions: 1 });
  });

  it("gives a name that is not UTF-8 a handle that finds its patch", async () => {
    const range = await propose({ "a.txt": "a\n" }, async (directory) => {
      const blob = await mustGit(["hash-object", "-w", "--stdin"], { cwd: directory, input: "odd\n" });
      await mustGit(["update-index", "-z", "--index-info"], {
        cwd: directory,
        input: Buffer.from(`100644 ${blob}\tdir/caf\xe9.txt\0`, "latin1"),
      });
      await mustGit(["commit", "-q", "-m", "odd"], { cwd: directory });
      await mustGit(["checkout", "-q", "."], { cwd: directory });
    });
    const [row] = await world.client.diffFiles(range);
    expect(row).toMatchObject({ status: "added", displayPath: "dir/caf\ufffd.txt", insertions: 1 });
    expect(row?.path).toMatch(/^\/\/[A-Za-z0-9_-]+$/);
    const { patch } = await world.client.diffPatch({ ...range, path: row?.path ?? "" });
    expect(patch).toContain('+++ "b/dir/caf\\351.txt"\n@@ -0,0 +1 @@\n+odd\n');
  });

  it("lists changes of mode, empty files, links, submodules and renames as what they are", async () => {
    const long = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
    const range = await propose(
      {
        "run.sh": "#!/bin/sh\n",
        "both.sh": "one\n",
        "gone.txt": "",
        "old name.txt": long,
        "plain.txt": "x\n",
      },
      async (directory) => {
        await chmod(join(directory, "run.sh"), 0o755);
        await writeFile(join(directory, "both.sh"), "two\n");
        await chmod(join(directory, "both.sh"), 0o755);
        await writeFile(join(directory, "new-empty.txt"), "");
        await rm(join(directory, "gone.txt"));
        await rm(join(directory, "plain.txt"));
        await symlink("/etc/passwd", join(directory, "plain.txt"));
        await mustGit(["mv", "old name.txt", "new name.txt"], { cwd: directory });
        await mustGit(["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`], {
          cwd: directory,
        });
        await mustGit(["commit", "-q", "-m", "gitlink"], { cwd: directory });
        await mkdir(join(directory, "vendor/lib"), { recursive: true });
      },
    );
    const rows = byPath(await world.client.diffFiles(range));
    expect(rows["run.sh"]).toMatchObject({
      old: { mode: "100644" },
      new: { mode: "100755" },
      insertions: 0,
      deletions: 0,
      flags: ["mode_changed", "became_executable"],
    });
    expect(rows["both.sh"]).toMatchObject({
      insertions: 1,
      deletions: 1,
      flags: ["mode_changed", "became_executable"],
    });
    expect(rows["new-empty.txt"]).toMatchObject({ status: "added", kind: "text", flags: ["empty"] });
    expect(rows["gone.txt"]).toMatchObject({ status: "deleted", new: null, flags: ["empty"] });
    expect(rows["plain.txt"]).toMatchObject({ status: "type_changed", kind: "symlink" });
    expect(rows["new name.txt"]).toMatchObject({
      status: "renamed",
      oldPath: "old name.txt",
      similarity: 100,
    });
    expect((await world.client.diffPatch({ ...range, path: "new name.txt" })).patch).toContain(
      "rename from old name.txt\nrename to new name.txt\n",
    );
    expect(rows["vendor/lib"]).toMatchObject({ kind: "submodule", new: { mode: "160000", sizeBytes: null } });
  });

  it("flags what a reviewer could overlook, and lets no attribute of the proposed side hide code", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
    const range = await propose(
      {
        ".gitattributes": "*.lock linguist-generated\n",
        "bom.txt": "\ufeffa\n",
        "crlf.txt": "a\r\nb\r\n",
        "data.bin": pointer.replace("12345", "1"),
        "hidden.ts": "let a = 1;\n",
        "bun.lock": "1\n",
        "latin.txt": Buffer.from("caf\xe9\n", "latin1"),
      },
      async (directory) => {
        const write = (name: string, content: string | Buffer): Promise<void> =>
          writeFile(join(directory, name), content);
        await write(
          ".gitattributes",
          "*.ts -diff binary linguist-generated\n*.bin filter=lfs -text diff=lfs\n",
        );
        await write("bom.txt", "a\n");
        await write("crlf.txt", "a\nb\n");
        await write("data.bin", pointer);
        await write("hidden.ts", "let a = 2; // \u202e evil \u2066\n");
        await write("nul.ts", "const a = '\0';\nrun();\n");
        await write("bun.lock", "2\n");
        await write("noeol.txt", "no end");
        await write("conflict.txt", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n");
        await write(
          "image.png",
          Buffer.concat([Buffer.from("\x89PNG\0\0\0\0", "latin1"), Buffer.alloc(3000, 1)]),
        );
        await write("latin.txt", Buffer.from("th\xe9\n", "latin1"));
      },
    );
    const rows = byPath(await world.client.diffFiles(range));
    expect(rows["bom.txt"]?.flags).toEqual(["bom_changed"]);
    expect(rows["crlf.txt"]?.flags).toEqual(["line_endings_changed"]);
    expect(rows["data.bin"]).toMatchObject({
      kind: "text",
      flags: ["lfs_pointer"],
      new: { lfs: { objectId: "a".repeat(64), sizeBytes: 12345 } },
    });
    expect(rows["hidden.ts"]).toMatchObject({
      kind: "text",
      insertions: 1,
      deletions: 1,
      flags: ["invisible_or_bidi"],
    });
    expect(rows["nul.ts"]).toMatchObject({ kind: "text", insertions: 2 });
    expect(rows["nul.ts"]?.flags).toContain("nul_in_text");
    expect((await world.client.diffPatch({ ...range, path: "nul.ts" })).patch).toContain("+run();\n");
    expect(rows["bun.lock"]?.flags).toEqual(["generated"]);
    expect(rows["noeol.txt"]?.flags).toEqual(["no_final_newline"]);
    expect(rows["conflict.txt"]?.flags).toEqual(["conflict_markers"]);
    expect(rows["image.png"]).toMatchObject({ kind: "binary", insertions: null, deletions: null });
    expect(rows["latin.txt"]).toMatchObject({ kind: "text", new: { encoding: "iso-8859-1" } });
    const latin = await world.client.diffPatch({ ...range, path: "latin.txt" });
    expect(Buffer.from(latin.patch, "base64").includes(Buffer.from("+th\xe9\n", "latin1"))).toBe(true);
  });

  it("ignores white space as asked, in counts and patch alike, and keeps the file in the list", async () => {
    const range = await propose({ "a.txt": "a b\nc\n" }, (directory) =>
      writeFile(join(directory, "a.txt"), "a  b\nc  \n"),
    );
    const counts = async (whitespace: "none" | "trailing" | "all"): Promise<unknown> => {
      const [row] = await world.client.diffFiles({ ...range, whitespace });
      return [row?.insertions, row?.deletions];
    };
    expect([await counts("none"), await counts("trailing"), await counts("all")]).toEqual([
      [2, 2],
      [1, 1],
      [0, 0],
    ]);
    expect((await world.client.diffPatch({ ...range, path: "a.txt", whitespace: "all" })).patch).toBe("");
  });

  it("begins at the empty tree where there is no base", async () => {
    const project = await createProject(world, { "README.md": "one\n" });
    const range = { projectId: project.projectId, base: emptyTree, head: project.commit };
    expect(await world.client.diffStats(range)).toEqual({ filesChanged: 1, insertions: 1, deletions: 0 });
    expect((await world.client.diffPatch({ ...range, path: "README.md" })).patch).toContain("+one\n");
  });

  it("cuts a patch at a line when it passes 10 MiB", async () => {
    const range = await propose({ "a.txt": "a\n" }, (directory) =>
      writeFile(join(directory, "a.txt"), "0123456789abcdef\n".repeat(700_000)),
    );
    const { patch, truncated } = await world.client.diffPatch({ ...range, path: "a.txt" });
    expect(truncated).toBe(true);
    expect(patch.length).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(patch.endsWith("+0123456789abcdef\n")).toBe(true);
  });

  it("says that a commit is not there", async () => {
    const project = await createProject(world);
    const range = { projectId: project.projectId, base: project.commit, head: "1".repeat(40) };
    await expect(world.client.diffFiles(range)).rejects.toMatchObject({ code: "commit.not_found" });
  });
});

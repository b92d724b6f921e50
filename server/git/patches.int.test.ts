import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
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
import { forkRef, type DiffRange, type WhitespaceMode } from "./types";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld();
});
afterAll(() => world.close());

const long = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join("");

/** A change of every kind, names of every kind. */
async function proposeEverything(): Promise<DiffRange> {
  const project = await createProject(world, {
    "a.txt": "one\ntwo\n",
    "spaces.txt": "a b\nc\n",
    "dir/moved.txt": long,
    "dir/gone.txt": long.replaceAll("line", "row"),
    "dir.txt": "x\n",
    "x b/x.txt": "old\n",
    'quo"te\\.txt': "old\n",
    "Prüfung/ä.md": "old\n",
    "run.sh": "#!/bin/sh\n",
    "becomes-link": "file\n",
    "image.bin": Buffer.from([0, 1, 2, 3]),
    "latin.txt": Buffer.from("caf\xe9\n", "latin1"),
  });
  const fork = await createFork(world, project);
  const directory = await cloneFork(world, fork);
  const write = (path: string, content: string | Buffer): Promise<void> =>
    writeFile(join(directory, path), content);
  await write("a.txt", "one\n2\ndiff --git a/x b/x\n");
  await write("spaces.txt", "a  b\nc \n");
  await rename(join(directory, "dir/moved.txt"), join(directory, "dir/renamed.txt"));
  await rm(join(directory, "dir/gone.txt"));
  await write("dir.txt", "y\n");
  // As like to the file that is gone as a renamed one would be, and more like it than the half of it is.
  await write("added.txt", long.replaceAll("line", "thing"));
  await write("x b/x.txt", "new\n");
  await write('quo"te\\.txt', "new\n");
  await write("Prüfung/ä.md", "new\n");
  await chmod(join(directory, "run.sh"), 0o755);
  await rm(join(directory, "becomes-link"));
  await symlink("a.txt", join(directory, "becomes-link"));
  await write("image.bin", Buffer.from([0, 1, 2, 4, 0, 255]));
  await write("latin.txt", Buffer.from("th\xe9\n", "latin1"));
  await mkdir(join(directory, "new"), { recursive: true });
  await write("new/empty.txt", "");
  await write("new/tab\there.txt", "x");
  const head = await commitFiles(directory, {});
  const push = { ...fork, ref: forkRef, oldCommit: project.commit, newCommit: head };
  const { token } = await world.client.mintPushToken(push);
  await mustGit(["push", "--quiet", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(token) });
  await world.client.keepCommit({ ...fork, commit: head });
  return { projectId: project.projectId, base: project.commit, head };
}

describe("patches that are asked for together", () => {
  let range: DiffRange;
  beforeAll(async () => {
    range = await proposeEverything();
  });

  it.each(["none", "trailing", "all"] as const)(
    "are byte for byte what each is alone, with white space %s",
    async (whitespace: WhitespaceMode) => {
      const paths = (await world.client.diffFiles({ ...range, whitespace })).map(({ path }) => path);
      expect(paths.length).toBeGreaterThanOrEqual(15);
      const together = await world.client.diffPatches({ ...range, paths, whitespace });
      const alone = await Promise.all(
        paths.map(async (path) => ({
          path,
          ...(await world.client.diffPatch({ ...range, path, whitespace })),
        })),
      );
      expect(together).toEqual(alone);
    },
  );

  it("come in the order in which they were asked for, with as much context as was asked for", async () => {
    const paths = ["x b/x.txt", "a.txt"];
    const [first, second] = await world.client.diffPatches({ ...range, paths, context: 0 });
    expect([first?.path, second?.path]).toEqual(paths);
    expect(second?.patch).toContain("@@ -2 +2,2 @@ one\n");
  });

  it("are refused as a whole when one of the files does not differ", async () => {
    const paths = ["a.txt", "nowhere.txt"];
    await expect(world.client.diffPatches({ ...range, paths })).rejects.toMatchObject({
      code: "file.not_found",
    });
    await expect(world.client.diffPatch({ ...range, path: "nowhere.txt" })).rejects.toMatchObject({
      code: "file.not_found",
    });
  });

  it("pass 10 MiB in no answer: what does not fit is said to be cut and comes when asked for alone", async () => {
    const project = await createProject(world, { "1.txt": "a\n", "2.txt": "a\n", "3.txt": "a\n" });
    const fork = await createFork(world, project);
    const directory = await cloneFork(world, fork);
    for (const name of ["1.txt", "2.txt", "3.txt"]) {
      await writeFile(join(directory, name), `${name} 0123456789abcdef\n`.repeat(180_000));
    }
    const head = await commitFiles(directory, {});
    const push = { ...fork, ref: forkRef, oldCommit: project.commit, newCommit: head };
    const { token } = await world.client.mintPushToken(push);
    await mustGit(["push", "-q", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(token) });
    await world.client.keepCommit({ ...fork, commit: head });
    const large = { projectId: project.projectId, base: project.commit, head };
    const paths = ["1.txt", "2.txt", "3.txt"];
    const together = await world.client.diffPatches({ ...large, paths });
    expect(together.map(({ truncated }) => truncated)).toEqual([false, false, true]);
    expect(together[2]?.patch).toBe("");
    expect(await world.client.diffPatch({ ...large, path: "3.txt" })).toMatchObject({ truncated: false });
  });

  it("one side of a file is read as bytes, up to a bound, and not where there is none", async () => {
    const side = { ...range, path: "latin.txt", side: "old" as const, bytesMax: 100 };
    const { base64 } = await world.client.readSide(side);
    expect(Buffer.from(base64, "base64")).toEqual(Buffer.from("caf\xe9\n", "latin1"));
    expect(await world.client.readSide({ ...side, bytesMax: 2 })).toEqual({
      base64: "",
      sizeBytes: 5,
      truncated: true,
    });
    await expect(world.client.readSide({ ...side, path: "added.txt" })).rejects.toMatchObject({
      code: "file.not_found",
    });
  });
});

/** If this fails, one download takes the whole service's memory, or a half file looks like a whole one. */
describe("one side of a file as it comes", () => {
  const sizeBytes = 90 * 1024 * 1024;
  let large: { projectId: string; base: string; head: string; path: string; side: "new" };
  let content: Buffer;
  beforeAll(async () => {
    content = randomBytes(sizeBytes);
    const project = await createProject(world);
    await mustGit(["config", "core.compression", "0"], { cwd: project.source });
    const head = await commitFiles(project.source, { "large.bin": content });
    const canonical = join(world.repositories, project.projectId, "canonical.git");
    await mustGit(["push", "--quiet", canonical, "main"], { cwd: project.source });
    large = { projectId: project.projectId, base: project.commit, head, path: "large.bin", side: "new" };
  }, 60_000);

  it("has every byte, and its size is known before", async () => {
    const opened = await world.client.openSide({ ...large, bytesMax: 100 * 1024 * 1024 });
    expect(opened.sizeBytes).toBe(sizeBytes);
    const hash = createHash("sha1");
    for await (const piece of opened.bytes) hash.update(piece);
    expect(hash.digest("hex")).toBe(createHash("sha1").update(content).digest("hex"));
  });

  it("is refused above the bound, and for what does not differ", async () => {
    await expect(world.client.openSide({ ...large, bytesMax: 1024 })).rejects.toMatchObject({
      code: "limit.size",
      details: { sizeBytes },
    });
    await expect(world.client.openSide({ ...large, path: "none", bytesMax: 1024 })).rejects.toMatchObject({
      code: "file.not_found",
    });
  });

  it("ends git when the reader leaves", async () => {
    const { bytes } = await world.client.openSide({ ...large, bytesMax: 100 * 1024 * 1024 });
    for await (const piece of bytes) if (piece.length > 0) break;
    await expect.poll(() => catFileProcesses(large.projectId), { timeout: 10_000 }).toBe(0);
  });

  it("throws when it breaks off", async () => {
    const { bytes } = await world.client.openSide({ ...large, bytesMax: 100 * 1024 * 1024 });
    const read = async (): Promise<void> => {
      let isFirst = true;
      for await (const piece of bytes) {
        if (isFirst && piece.length > 0) await world.restart();
        isFirst = false;
      }
    };
    await expect(read()).rejects.toThrow();
  });
});

/** How many processes of git read a blob of this Project. */
async function catFileProcesses(projectId: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    pids.map(async (pid) => {
      const [command, environment] = await Promise.all(
        ["cmdline", "environ"].map((name) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "")),
      );
      return command?.includes("cat-file") === true ? (environment ?? "") : "";
    }),
  );
  return environments.filter((environment) => environment.includes(projectId)).length;
}

describe("a canonical repository", () => {
  const seed = {
    files: [
      { path: ".gitignore", base64: Buffer.from("node_modules\n").toString("base64"), isExecutable: false },
      { path: "src/a.ts", base64: Buffer.from("1\n").toString("base64"), isExecutable: false },
      { path: "run.sh", base64: Buffer.from("#!/bin/sh\n").toString("base64"), isExecutable: true },
    ],
    message: "The sample",
    author: { name: "Rhumbatron", email: "noreply@rhumbatron.invalid" },
    at: "2026-01-02T03:04:05.000Z",
  };

  it("gets its first commit once, however often that is asked for", async () => {
    const projectId = crypto.randomUUID();
    await world.client.createRepository({ projectId, defaultBranch: "main" });
    const made = await Promise.all([1, 2].map(() => world.client.seedRepository({ projectId, ...seed })));
    const { commit } = await world.client.seedRepository({ projectId, ...seed });
    expect(made).toEqual([{ commit }, { commit }]);
    const listed = await mustGit(["ls-tree", "-r", "--format=%(objectmode) %(path)", commit], {
      env: { GIT_DIR: join(world.repositories, projectId, "canonical.git") },
    });
    expect(listed.split("\n")).toEqual(["100644 .gitignore", "100755 run.sh", "100644 src/a.ts"]);
    await expect(
      world.client.seedRepository({ projectId, ...seed, message: "Another" }),
    ).rejects.toMatchObject({ code: "conflict.stale" });
  });

  it("lists its branches with the newest commit of each", async () => {
    const projectId = crypto.randomUUID();
    await world.client.createRepository({ projectId, defaultBranch: "main" });
    expect(await world.client.listBranches({ projectId })).toEqual([]);
    const { commit } = await world.client.seedRepository({ projectId, ...seed });
    expect(await world.client.listBranches({ projectId })).toEqual([
      { name: "main", commit, subject: "The sample", at: seed.at, isDefault: true },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Supervisor } from "../../server/sandboxd/supervisor";
import { testRuntimes } from "../../server/testing/int-environment";
import { startTestSandbox, type TestSandbox } from "../../server/testing/sandbox-container";
import { prepareTestRun, type TestRun } from "../../server/testing/sandbox-run";

const bytesMax = 1024 * 1024;

describe.each(testRuntimes)("files on %s", (runtime) => {
  let sandbox: TestSandbox;
  let supervisor: Supervisor;
  let run: TestRun;

  beforeAll(async () => {
    sandbox = await startTestSandbox(runtime);
    supervisor = await sandbox.connect();
    run = await prepareTestRun(supervisor);
  });
  afterAll(() => sandbox.remove());

  const read = (path: string): Promise<unknown> => supervisor.readFile({ ...run.at(path), bytesMax });
  const write = (path: string): Promise<unknown> =>
    supervisor.writeFile({ ...run.at(path), bytes: Buffer.from("x"), mode: null });
  const remove = (path: string): Promise<unknown> =>
    supervisor.deleteFile({ ...run.at(path), recursive: true });
  const list = (path: string): Promise<unknown> =>
    supervisor.listFiles({ ...run.at(path), depth: 1, limit: 10 });

  test("a written file is there whole, with its parents, as the Run's own, and keeps its mode when written again", async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 0xc3, 0x28]);
    const target = run.at("a/b/c.bin");
    expect(await supervisor.writeFile({ ...target, bytes, mode: null })).toEqual({
      created: true,
      mode: "0644",
    });
    await run.shell("chmod 755 a/b/c.bin");
    expect(await supervisor.writeFile({ ...target, bytes, mode: null })).toEqual({
      created: false,
      mode: "0755",
    });
    expect(await supervisor.writeFile({ ...target, bytes, mode: 0o600 })).toEqual({
      created: false,
      mode: "0600",
    });
    const content = await supervisor.readFile({ ...target, bytesMax });
    expect(content).toMatchObject({ sizeBytes: 6, mode: "0600", truncated: false });
    expect(Buffer.from(content.bytes)).toEqual(bytes);
    const { stdout } = await run.shell("stat -c '%u %a' a a/b a/b/c.bin; ls -A a/b");
    expect(stdout.trim().split("\n")).toEqual([
      `${run.uid} 755`,
      `${run.uid} 755`,
      `${run.uid} 600`,
      "c.bin",
    ]);
  });

  test("a file of 10 MiB passes both ways, and reading stops where it was asked to", async () => {
    const bytes = Buffer.alloc(10 * bytesMax, "0123456789");
    await supervisor.writeFile({ ...run.at("large"), bytes, mode: null });
    const whole = await supervisor.readFile({ ...run.at("large"), bytesMax: 16 * bytesMax });
    expect(Buffer.from(whole.bytes).equals(bytes)).toBe(true);
    const part = await supervisor.readFile({ ...run.at("large"), bytesMax: 4, offset: 12 });
    expect({ ...part, bytes: Buffer.from(part.bytes).toString() }).toMatchObject({
      bytes: "2345",
      truncated: true,
    });
    const beyond = await supervisor.readFile({ ...run.at("large"), bytesMax: 4, offset: 1e12 });
    expect(beyond.bytes.length).toBe(0);
    await run.shell("truncate -s 1G sparse");
    const sparse = await supervisor.readFile({ ...run.at("sparse"), bytesMax: 10 });
    expect(sparse).toMatchObject({ sizeBytes: 1024 ** 3, truncated: true });
    await run.shell("rm sparse large");
  });

  test.each([
    ["", "input.invalid"],
    ["a\0b", "input.invalid"],
    ["x".repeat(256), "input.invalid"],
    [`${"x/".repeat(2100)}y`, "input.invalid"],
    ["\ud800", "input.invalid"],
    ["/etc/passwd", "path.outside_workspace"],
    ["..", "path.outside_workspace"],
    ["a/../../x", "path.outside_workspace"],
    [".git", "path.reserved"],
    ["sub/.GIT/hooks/x", "path.reserved"],
    [".git./x", "path.reserved"],
    [".git ", "path.reserved"],
    ["GIT~1/config", "path.reserved"],
    [".g\u200cit/config", "path.reserved"],
    ["a\\.git\\config", "path.reserved"],
    [".git::$INDEX_ALLOCATION", "path.reserved"],
  ])("the path %j is refused by every call", async (path, code) => {
    for (const call of [read, write, remove, list]) await expect(call(path)).rejects.toMatchObject({ code });
  });

  test("what is not there, is a directory or is the root itself has a code of its own", async () => {
    await write("plain");
    await expect(read("nope/x")).rejects.toMatchObject({ code: "file.not_found" });
    await expect(read("plain/x")).rejects.toMatchObject({ code: "file.not_found" });
    await expect(remove("nope")).rejects.toMatchObject({ code: "file.not_found" });
    await expect(read("a")).rejects.toMatchObject({ code: "file.not_regular" });
    await expect(write("a")).rejects.toMatchObject({ code: "file.not_regular" });
    await expect(read(".")).rejects.toMatchObject({ code: "file.not_regular" });
    await expect(remove(".")).rejects.toMatchObject({ code: "path.reserved" });
    await expect(
      supervisor.readFile({ uid: run.uid, root: "/etc", path: "passwd", bytesMax }),
    ).rejects.toMatchObject({ code: "input.invalid" });
  });

  test("links are never followed: refused on the way and at the end, listed and deleted as links", async () => {
    await run.shell(
      "mkdir links; cd links; ln -s /etc etc; ln -s ../a in; ln -s /etc/passwd file; ln -s /etc/new new; ln -s loop loop",
    );
    for (const path of ["links/etc/passwd", "links/in/b/c.bin", "links/file", "links/new", "links/loop"]) {
      await expect(read(path)).rejects.toMatchObject({ code: "path.outside_workspace" });
      await expect(write(path)).rejects.toMatchObject({ code: "path.outside_workspace" });
    }
    await expect(remove("links/etc/passwd")).rejects.toMatchObject({ code: "path.outside_workspace" });
    await expect(list("links/etc/ssl")).rejects.toMatchObject({ code: "path.outside_workspace" });
    const { items } = await supervisor.listFiles({ ...run.at("links"), depth: 5, limit: 100 });
    expect(items.map(({ path, type, target }) => `${path} ${type} ${target}`)).toEqual([
      "links/etc symlink /etc",
      "links/file symlink /etc/passwd",
      "links/in symlink ../a",
      "links/loop symlink loop",
      "links/new symlink /etc/new",
    ]);
    expect(await supervisor.deleteFile({ ...run.at("links/in"), recursive: true })).toEqual({
      deletedCount: 1,
    });
    expect(await supervisor.deleteFile({ ...run.at("links"), recursive: true })).toEqual({ deletedCount: 5 });
    expect((await run.shell("ls a/b")).stdout).toBe("c.bin\n");
  });

  test("a fifo, a socket and a directory without rights answer within a second", async () => {
    await run.shell("mkfifo fifo; mkdir -m 000 closed");
    await run.program("require('net').createServer().listen('socket', () => process.exit(0))");
    const startedMs = performance.now();
    for (const path of ["fifo", "socket"]) {
      await expect(read(path)).rejects.toMatchObject({ code: "file.not_regular" });
      await expect(write(path)).rejects.toMatchObject({ code: "file.not_regular" });
    }
    await expect(read("closed/x")).rejects.toMatchObject({ code: "file.not_regular" });
    const { items } = await supervisor.listFiles({ ...run.at("."), depth: 3, limit: 1000 });
    expect(items.find(({ path }) => path === "fifo")?.type).toBe("other");
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    await run.shell("rm fifo socket; rmdir closed");
  });

  test("a file that grows without end is read in bounds", async () => {
    await run.writeText("growing", "");
    const commandId = await run.start(["sh", "-c", "exec yes >> growing"]);
    const content = await supervisor.readFile({ ...run.at("growing"), bytesMax });
    expect(content.bytes.length).toBeLessThanOrEqual(bytesMax);
    await supervisor.stopCommand(commandId);
    await run.shell("rm growing");
  });

  test("a listing is in the order of whole paths and its pages join without gap or repeat", async () => {
    await run.shell(
      "mkdir -p tree/a/c tree/a-b tree/.git/x tree/ab; touch tree/a/c/d tree/a.x tree/a/b tree/ab/z 'tree/new\nline' tree/é",
    );
    const paths: string[] = [];
    let after: string | undefined;
    for (;;) {
      const options = after === undefined ? {} : { after };
      const page = await supervisor.listFiles({ ...run.at("tree"), depth: 9, limit: 2, ...options });
      paths.push(...page.items.map(({ path }) => path));
      after = paths.at(-1);
      if (!page.truncated) break;
    }
    const below = ["a", "a-b", "a.x", "a/b", "a/c", "a/c/d", "ab", "ab/z", "new\nline", "é"];
    expect(paths).toEqual(below.map((path) => `tree/${path}`));
    const flat = await supervisor.listFiles({ ...run.at("tree"), depth: 1, limit: 100 });
    expect(flat.items.map(({ path }) => path)).toEqual(
      ["a", "a-b", "a.x", "ab", "new\nline", "é"].map((path) => `tree/${path}`),
    );
  });

  test("names that are no text are listed, and come to an end", async () => {
    await run.program(
      "const fs=require('fs'); fs.mkdirSync('odd'); for (const b of [255, 254, 192]) fs.writeFileSync(Buffer.from([111,100,100,47,97,b]), '')",
    );
    const first = await supervisor.listFiles({ ...run.at("odd"), depth: 1, limit: 10 });
    expect(first.items.map(({ path }) => path)).toEqual(["odd/a\ufffd", "odd/a\ufffd", "odd/a\ufffd"]);
    const rest = await supervisor.listFiles({ ...run.at("odd"), depth: 1, limit: 10, after: "odd/a\ufffd" });
    expect(rest).toEqual({ items: [], truncated: false });
  });

  test("a directory of very many entries is listed in order without the helper growing", async () => {
    const count = runtime === "runc" ? 300_000 : 30_000;
    await run.program(
      `const fs=require('fs'); fs.mkdirSync('many'); for (let i=0;i<${count};i+=1) fs.writeFileSync('many/'+String(i).padStart(6,'0'), '')`,
      { timeoutMs: 100_000 },
    );
    const helperMemory = async (): Promise<number> =>
      Number(
        (
          await sandbox.asRoot([
            "sh",
            "-c",
            `ps -eo rss,uid,args | awk '$2==${run.uid} && /helper/ {print $1}'`,
          ])
        ).stdout,
      );
    const before = await helperMemory();
    const page = await supervisor.listFiles({
      ...run.at("many"),
      depth: 1,
      limit: 100,
      after: "many/020000",
    });
    expect(page.items.map(({ path }) => path).slice(0, 2)).toEqual(["many/020001", "many/020002"]);
    expect([page.items.length, page.truncated]).toEqual([100, true]);
    expect((await helperMemory()) - before).toBeLessThan(64 * 1024);
    expect(await supervisor.deleteFile({ ...run.at("many"), recursive: true })).toEqual({
      deletedCount: count + 1,
    });
  });

  test("a directory that is not empty goes only when asked for, links below it stay unentered, and .git below goes too", async () => {
    await run.shell(
      "mkdir -p gone/x/.git keep; touch gone/x/y gone/x/.git/z keep/k; ln -s ../../keep gone/x/link",
    );
    await expect(supervisor.deleteFile({ ...run.at("gone"), recursive: false })).rejects.toMatchObject({
      code: "input.invalid",
    });
    expect(await supervisor.deleteFile({ ...run.at("gone"), recursive: true })).toEqual({ deletedCount: 6 });
    expect(await run.readText("keep/k")).toBe("");
  });

  test("calls on one Run's files are answered each as its own, many at once", async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => run.writeText(`n/${index}`, `text ${index}`)));
    const texts = await Promise.all(Array.from({ length: 60 }, (_, index) => run.readText(`n/${index}`)));
    expect(texts).toEqual(Array.from({ length: 60 }, (_, index) => `text ${index}`));
  });

  test("values that no call takes are refused", async () => {
    for (const [offset, limit] of [
      [-1, 10],
      [Number.NaN, 10],
      [1e308, 10],
      [0, 1e9],
    ] as const) {
      await expect(
        supervisor.readFile({ ...run.at("plain"), bytesMax: limit, offset }),
      ).rejects.toMatchObject({
        code: "input.invalid",
      });
    }
  });
});

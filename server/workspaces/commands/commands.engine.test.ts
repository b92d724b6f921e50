import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testRuntimes } from "../../testing/int-environment";
import { createLife } from "../../testing/mortal";
import { until } from "../../testing/until";
import type { WorkspaceProcess } from "../../testing/workspace-process";
import { openTestRun, type OpenRun } from "../../testing/workspace-run";
import {
  createWorkspaceWorld,
  type WorkspaceProject,
  type WorkspaceWorld,
} from "../../testing/workspace-world";
import { sandboxIdOf } from "../runs/rules";
import type { RunEventView } from "../runs/types";

/** Cut inside `é` and inside `☕`, with a pause, and then much of one character. */
const splitting = `
const bytes = Buffer.from("café ☕\\n");
for (const part of [bytes.subarray(0, 4), bytes.subarray(4, 7), bytes.subarray(7)]) {
  await Bun.write(Bun.stdout, part);
  await Bun.sleep(150);
}
await Bun.write(Bun.stdout, "☕".repeat(100_000));
`;
/** A line each 20 ms on both streams, 200 of them. */
const slow = `for (let n = 0; n < 200; n++) { console.log("o" + n); console.error("e" + n); await Bun.sleep(20); }`;
const scripts = {
  split: "bun split.ts",
  slow: "bun slow.ts",
  long: "echo begun; sleep 300",
  nul: "bun nul.ts",
  daemon: "sleep 600 & echo spawned",
  serve: "bun serve.ts",
};
/** Asks a server of its own, as the tests of a web framework do, by each name that it has. */
const serving = `
const server = Bun.serve({ port: 0, fetch: () => new Response("own") });
for (const host of ["localhost", "127.0.0.1", "0.0.0.0"]) {
  console.log(await (await fetch("http://" + host + ":" + server.port)).text());
}
await server.stop();
`;

describe.each(testRuntimes)("on %s", (runtime) => {
  let world: WorkspaceWorld;
  let project: WorkspaceProject;
  let one: WorkspaceProcess;
  let two: WorkspaceProcess;
  beforeAll(async () => {
    world = await createWorkspaceWorld(runtime);
    project = await createProject();
    one = world.startProcess();
    two = world.startProcess();
  });
  afterAll(() => world.close());

  const createProject = (): Promise<WorkspaceProject> =>
    world.createProject({
      "package.json": JSON.stringify({ scripts }),
      "split.ts": splitting,
      "slow.ts": slow,
      "nul.ts": `process.stdout.write("a\\0b");`,
      "serve.ts": serving,
      "a.test.ts": `import { expect, it } from "bun:test"; it("adds", () => expect(1 + 1).toBe(2));`,
    });

  const readWhole = async (run: OpenRun, commandId: string, stream: "stdout" | "stderr"): Promise<string> => {
    const pieces: Buffer[] = [];
    for (let offset = 0; ;) {
      const slice = await two.workspaces.readOutput(run.agent, {
        runId: run.runId,
        commandId,
        stream,
        offset,
        limit: 60_000,
      });
      const bytes = Buffer.from(slice.base64, "base64");
      pieces.push(bytes);
      offset += bytes.length;
      if (slice.complete) return Buffer.concat(pieces).toString("utf8");
      if (bytes.length === 0) await world.clock.sleep(50);
    }
  };

  /** Follows the Run's events until one is the end of the command. */
  async function followEvents(run: OpenRun, commandId: string): Promise<RunEventView[]> {
    const events: RunEventView[] = [];
    const { signal } = new AbortController();
    const stream = two.workspaces.streamEvents(run.agent, { runId: run.runId, lastSeq: 0, signal });
    for await (const event of stream) {
      events.push(event);
      const { commandId: of, status } = event.data;
      if (event.kind === "command" && of === commandId && status !== "running") break;
    }
    return events;
  }

  const textOf = (events: readonly RunEventView[], commandId: string, stream: string): string =>
    events
      .filter(({ kind, data }) => kind === "output" && data["commandId"] === commandId)
      .filter(({ data }) => data["stream"] === stream)
      .map(({ data }) => data["text"])
      .join("");

  const startedId = (result: Awaited<ReturnType<OpenRun["run"]>>): string => {
    if (result.status === "rejected") throw new Error(result.message);
    return result.commandId;
  };

  it("shows output live and whole, with every character whole, while the command runs", async () => {
    const run = await openTestRun(world, one, project);
    const begun = await run.run("bun run split", { waitMs: 0 });
    expect(begun.status).toBe("running");
    const commandId = startedId(begun);
    const [events, whole] = await Promise.all([
      followEvents(run, commandId),
      readWhole(run, commandId, "stdout"),
    ]);
    const expected = `café ☕\n${"☕".repeat(100_000)}`;
    expect(textOf(events, commandId, "stdout") === expected).toBe(true);
    expect(whole === expected).toBe(true);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    const pieces = events.filter(({ data }) => data["stream"] === "stdout");
    expect(pieces.length).toBeGreaterThan(2);
    for (const { data } of pieces) expect(data["text"]).not.toContain("\ufffd");
    const end = await two.workspaces.waitCommand(run.agent, { runId: run.runId, commandId, waitMs: 20_000 });
    expect(end).toMatchObject({ status: "exited", exitCode: 0, stdout: { truncated: true } });
    await run.close();
  });

  it("lets one bun command run at a time, with git, ls and file tools beside it", async () => {
    const run = await openTestRun(world, one, project);
    const long = await run.run("bun run long", { waitMs: 0 });
    await expect(run.run("bun test", { through: two })).rejects.toMatchObject({
      code: "run.busy",
      details: { commandIds: [startedId(long)] },
    });
    expect(await run.run("git status --short", { through: two })).toMatchObject({
      status: "exited",
      exitCode: 0,
    });
    expect(await run.run("ls -1")).toMatchObject({ status: "exited", exitCode: 0 });
    await run.write("beside.txt", "x");
    const input = { runId: run.runId, title: "t", summary: "" };
    await expect(two.workspaces.completeTask(run.agent, input)).rejects.toMatchObject({ code: "run.busy" });
    expect(await run.state()).toBe("open");
    await run.close();
  });

  it("answers `running` when the wait is over, and a repeat with its key the same command", async () => {
    const run = await openTestRun(world, one, project);
    const options = { waitMs: 200, idempotencyKey: "k" };
    const [first, second] = await Promise.all([
      run.run("bun run slow", options),
      run.run("bun run slow", { ...options, through: two }),
    ]);
    expect(first.status).toBe("running");
    expect(startedId(second)).toBe(startedId(first));
    const end = await two.workspaces.waitCommand(run.agent, {
      runId: run.runId,
      commandId: startedId(first),
      waitMs: 40_000,
    });
    expect(end).toMatchObject({ status: "exited", exitCode: 0 });
    const again = await run.run("bun run slow", { ...options, through: two });
    expect(again).toMatchObject({ status: "exited", commandId: startedId(first) });
    expect(await world.db.command.count({ where: { runId: run.runId } })).toBe(1);
    await run.close();
  });

  it("that a process which died had followed is adopted by another, and its output is whole and once", async () => {
    const run = await openTestRun(world, one, project);
    const dying = world.startProcess({ life: createLife() });
    const begun = await run.run("bun run slow", { waitMs: 500, through: dying });
    const commandId = startedId(begun);
    dying.kill();
    await until("the other process follows it", async () => {
      world.clock.shift(21_000);
      await two.workspaces.sweep();
      const { state } = await world.db.command.findUniqueOrThrow({ where: { id: commandId } });
      return state !== "running";
    });
    const lines = (letter: string): string =>
      Array.from({ length: 200 }, (_, n) => `${letter}${n}\n`).join("");
    expect(await readWhole(run, commandId, "stdout")).toBe(lines("o"));
    // bun says there first what it runs.
    const errors = `$ bun slow.ts\n${lines("e")}`;
    expect(await readWhole(run, commandId, "stderr")).toBe(errors);
    const events = await followEvents(run, commandId);
    expect(textOf(events, commandId, "stdout")).toBe(lines("o"));
    expect(textOf(events, commandId, "stderr")).toBe(errors);
    await run.close();
  });

  it("ends as timed_out with what it wrote, and nothing of it is alive", async () => {
    const run = await openTestRun(world, one, project);
    const end = await run.run("bun run long", { timeoutMs: 1_500 });
    expect(end).toMatchObject({ status: "timed_out", stdout: { text: "begun\n" } });
    const left = await world.shellIn(project.projectId, 0, `ps -u ${run.uid} -o args= | grep sleep || true`);
    expect(left).toBe("");
    await run.close();
  });

  it("leaves no daemon behind, and output with a NUL is kept and shown", async () => {
    const run = await openTestRun(world, one, project);
    const spawned = await run.run("bun run daemon");
    expect(spawned).toMatchObject({ status: "exited", exitCode: 0, stdout: { text: "spawned\n" } });
    const left = await world.shellIn(project.projectId, 0, `ps -u ${run.uid} -o args= | grep sleep || true`);
    expect(left).toBe("");
    const nul = await run.run("bun run nul");
    expect(nul).toMatchObject({ status: "exited", stdout: { text: "a\u2400b" } });
    await run.close();
  });

  it("is interrupted, with what it had written and a reason, when its Sandbox dies, whoever follows it", async () => {
    const own = await createProject();
    for (const isFollowerAlive of [true, false]) {
      const run = await openTestRun(world, one, own);
      const dying = world.startProcess({ life: createLife() });
      const begun = await run.run("bun run long", { waitMs: 1_000, through: dying });
      const commandId = startedId(begun);
      await until("the first output is kept", async () => {
        const { stdoutBytes } = await world.db.command.findUniqueOrThrow({ where: { id: commandId } });
        return Number(stdoutBytes) > 0;
      });
      if (!isFollowerAlive) dying.kill();
      await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(own.projectId) });
      if (!isFollowerAlive) world.clock.shift(21_000);
      await two.workspaces.sweep();
      const end = await two.workspaces.waitCommand(run.agent, {
        runId: run.runId,
        commandId,
        waitMs: 20_000,
      });
      expect(end).toMatchObject({
        status: "interrupted",
        reason: "sandbox_gone",
        stdout: { text: "begun\n", totalBytes: 6 },
      });
      await until("the Run sleeps", async () => {
        await two.workspaces.sweep();
        return (await run.state()) === "asleep";
      });
      // Nothing of it holds the Run up.
      const test = await run.run("bun test");
      expect(test).toMatchObject({ status: "exited", restored: { commandsNotReplayed: [commandId] } });
      await run.close();
    }
  });

  it("reaches a server that it started itself, past the proxy", async () => {
    const run = await openTestRun(world, one, project);
    expect(await run.run("bun run serve")).toMatchObject({
      status: "exited",
      exitCode: 0,
      stdout: { text: "own\nown\nown\n" },
    });
    await run.close();
  });

  it("that is rejected stands in the Run's log as refused, and a sleeping Run is not woken for it", async () => {
    const run = await openTestRun(world, one, project);
    expect(await run.run("bun test; rm -rf /")).toMatchObject({ status: "rejected" });
    expect(await run.run("bun run nosuch")).toMatchObject({ status: "rejected" });
    const page = { runId: run.runId, after: 0, kinds: ["refused" as const], limit: 10 };
    const refused = await two.workspaces.listEvents(run.agent, page);
    expect(refused.map(({ data }) => data["command"])).toEqual(["bun test; rm -rf /", "bun run nosuch"]);
    world.clock.shift(125_000);
    await two.workspaces.sweep();
    expect(await run.run("rm -rf /")).toMatchObject({ status: "rejected" });
    expect(await run.state()).toBe("asleep");
    await run.close();
  });

  it("the stream of an ended Run gives every event, the end of its command too, and then ends", async () => {
    const run = await openTestRun(world, one, project);
    const begun = await run.run("bun run long", { waitMs: 500 });
    const kinds: string[] = [];
    const reading = (async () => {
      const { signal } = new AbortController();
      const stream = two.workspaces.streamEvents(run.agent, { runId: run.runId, lastSeq: 0, signal });
      for await (const { kind, data } of stream)
        kinds.push(data["status"] === "interrupted" ? `${kind} interrupted` : kind);
    })();
    await run.close();
    await reading;
    expect(kinds).toEqual(expect.arrayContaining(["command interrupted", "ended"]));
    expect(startedId(begun)).not.toBe("");
  });
});

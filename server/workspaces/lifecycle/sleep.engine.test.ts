import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerFaults, readLedger } from "../../testing/meter-world";
import { createLife } from "../../testing/mortal";
import { until } from "../../testing/until";
import type { WorkspaceProcess } from "../../testing/workspace-process";
import {
  createWorkspaceWorld,
  type WorkspaceProject,
  type WorkspaceTask,
  type WorkspaceWorld,
} from "../../testing/workspace-world";
import { sandboxIdOf } from "../runs/rules";

let world: WorkspaceWorld;
let project: WorkspaceProject;
let one: WorkspaceProcess;
let two: WorkspaceProcess;
beforeAll(async () => {
  world = await createWorkspaceWorld("runc");
  const scripts = { long: "sleep 300 & echo begun; wait", quick: "echo quick" };
  project = await world.createProject({ "package.json": JSON.stringify({ scripts }), "a.txt": "a\n" });
  one = world.startProcess();
  two = world.startProcess();
});
afterAll(() => world.close());

interface OpenRun extends WorkspaceTask {
  runId: string;
}

async function openRun(of: WorkspaceProject = project, process = one): Promise<OpenRun> {
  const task = await world.createTask(of);
  const answer = await process.workspaces.open(task.agent, { taskId: task.taskId });
  if (answer.status !== "open") throw new Error(`refused: ${answer.message}`);
  return { ...task, runId: answer.runId };
}

const everyTask = { taskId: null, after: null, limit: 9 };

const stateOf = async ({ runId, agent }: OpenRun): Promise<string> =>
  (await one.workspaces.getRun(agent, runId)).state;

const read = (run: OpenRun, path = "a.txt", process = one) =>
  process.workspaces.readFile(run.agent, { runId: run.runId, path, maxBytes: 1_000 });

const write = (run: OpenRun, path: string, content: string, process = one) =>
  process.workspaces.writeFile(run.agent, { runId: run.runId, path, content, encoding: "utf8" });

const runCommand = (run: OpenRun, command: string, waitMs = 30_000, process = one) =>
  process.workspaces.runCommand(run.agent, { runId: run.runId, command, timeoutMs: 600_000, waitMs });

const sessionsOf = ({ runId }: OpenRun) =>
  world.db.workspaceSession.findMany({ where: { runId }, orderBy: { createdAt: "asc" } });

async function expectSound(): Promise<void> {
  expect(ledgerFaults(await readLedger(world.db))).toEqual([]);
  const live = await world.db.workspaceSession.groupBy({
    by: ["runId"],
    where: { state: { in: ["reserved", "open"] } },
    _count: true,
  });
  expect(live.filter(({ _count }) => _count > 1)).toEqual([]);
}

describe("a Run without a call", () => {
  it("falls asleep after its time: settled up to the last call, its slot kept, nothing lost", async () => {
    const run = await openRun();
    await write(run, "b.txt", "kept\n");
    const { idleDeadlineAt } = await one.workspaces.get(run.agent, { runId: run.runId });
    const { lastActivityAt } = await one.workspaces.getRun(run.agent, run.runId);
    expect(idleDeadlineAt).toBe(new Date(lastActivityAt.getTime() + 120_000).toISOString());
    world.clock.shift(119_000);
    await two.workspaces.sweep();
    expect(await stateOf(run)).toBe("open");
    expect(await one.workspaces.listRuns(run.agent, { ...everyTask, changeId: run.changeId })).toMatchObject([
      { id: run.runId, isSettled: false },
    ]);
    world.clock.shift(5_000);
    await two.workspaces.sweep();
    expect(await stateOf(run)).toBe("asleep");
    const [session] = await sessionsOf(run);
    expect(session).toMatchObject({ state: "settled", tailSeconds: 120 });
    expect(session?.wallSeconds).toBeLessThan(30);
    expect(await one.workspaces.slots(run.changeId)).toMatchObject({ open: 1 });
    // Its Sandbox is still there, so nothing has to be restored.
    expect(await read(run, "b.txt", two)).toMatchObject({ content: "kept\n" });
    expect((await read(run, "b.txt")).restored).toBeUndefined();
    expect(await sessionsOf(run)).toMatchObject([{ state: "settled" }, { state: "open" }]);
    await expectSound();
    await one.workspaces.close(run.agent, { runId: run.runId });
  });

  it("stays awake while a command runs, however long, and the reservation grows with it", async () => {
    const run = await openRun();
    const command = await runCommand(run, "bun run long", 0);
    expect(command.status).toBe("running");
    for (let passed = 0; passed < 600; passed += 100) {
      world.clock.shift(100_000);
      await two.workspaces.sweep();
    }
    expect(await stateOf(run)).toBe("open");
    const soFar = await one.workspaces.get(run.agent, { runId: run.runId });
    expect(soFar.reservedSeconds).toBeGreaterThanOrEqual(720);
    expect(soFar).toMatchObject({ isSettled: false, idleDeadlineAt: null });
    expect(soFar.wallSeconds).toBeGreaterThanOrEqual(600);
    expect(soFar.chargedSeconds).toBe(soFar.wallSeconds + 120);
    await expectSound();
    const end = await one.workspaces.close(run.agent, { runId: run.runId });
    expect(end.wallSeconds).toBeGreaterThanOrEqual(soFar.wallSeconds);
    const { wallSeconds, chargedSeconds } = end;
    expect(await one.workspaces.getRun(run.agent, run.runId)).toMatchObject({
      wallSeconds,
      chargedSeconds,
      isSettled: true,
    });
    expect(end.wallSeconds).toBeGreaterThanOrEqual(600);
    expect(end.chargedSeconds).toBe(end.wallSeconds + 120);
    await expectSound();
  });

  it("is interrupted and asleep when the meter has no room for more, and wakes when there is", async () => {
    const { usedSeconds, reservedSeconds } = await one.meter.current(null);
    const capSeconds = usedSeconds + reservedSeconds + 300;
    const poor = world.startProcess({ capSeconds });
    const run = await openRun(project, poor);
    const command = await runCommand(run, "bun run long", 0, poor);
    if (command.status !== "running") throw new Error(command.status);
    world.clock.shift(155_000);
    await poor.workspaces.sweep();
    expect(await stateOf(run)).toBe("asleep");
    const ended = await poor.workspaces.waitCommand(run.agent, {
      runId: run.runId,
      commandId: command.commandId,
      waitMs: 30_000,
    });
    expect(ended).toMatchObject({ status: "interrupted", reason: "stopped" });
    const [session] = await sessionsOf(run);
    expect(session?.wallSeconds).toBeGreaterThanOrEqual(155);
    expect(session?.chargedSeconds).toBeLessThanOrEqual(300);
    const events = await world.db.event.findMany({ where: { changeId: run.changeId } });
    expect(events.map(({ type }) => type)).toContain("workspace.interrupted");
    await expect(read(run, "a.txt", poor)).rejects.toMatchObject({
      code: "workspace.wake_refused",
      details: { reason: "meter_exhausted" },
    });
    expect(await sessionsOf(run)).toHaveLength(1);
    expect(await read(run)).toMatchObject({ content: "a\n" });
    await expectSound();
    await one.workspaces.close(run.agent, { runId: run.runId });
  });

  it("fails as expired after its hour, and after its longest life even while it works", async () => {
    const idle = await openRun();
    const old = await openRun();
    const command = await runCommand(old, "bun run long", 0);
    expect(command.status).toBe("running");
    world.clock.shift(3_601_000);
    await one.workspaces.sweep();
    await one.workspaces.sweep();
    expect(await one.workspaces.getRun(idle.agent, idle.runId)).toMatchObject({
      state: "failed",
      endKind: "expired",
    });
    expect(await one.workspaces.slots(idle.changeId)).toMatchObject({ open: 0 });
    world.clock.shift(28_800_000);
    await one.workspaces.sweep();
    expect(await one.workspaces.getRun(old.agent, old.runId)).toMatchObject({
      state: "failed",
      endKind: "expired",
    });
    await expectSound();
  });
});

describe("a wake", () => {
  async function openAsleep(of: WorkspaceProject = project): Promise<OpenRun> {
    const run = await openRun(of);
    await write(run, "b.txt", "kept\n");
    world.clock.shift(125_000);
    await two.workspaces.sweep();
    expect(await stateOf(run)).toBe("asleep");
    return run;
  }

  it("is made once by many calls at once, from two processes", async () => {
    const run = await openAsleep();
    await Promise.all(Array.from({ length: 8 }, (_, n) => read(run, "b.txt", n % 2 === 0 ? one : two)));
    expect(await sessionsOf(run)).toHaveLength(2);
    await expectSound();
    await one.workspaces.close(run.agent, { runId: run.runId });
  });

  it("is refused while the host is full; nothing is lost, and the next try wakes it", async () => {
    const run = await openAsleep();
    const ensure = () =>
      Promise.resolve({
        status: "refused" as const,
        reason: "sandbox_max" as const,
        message: "Full.",
        limit: 4,
        used: 4,
      });
    const full = world.startProcess({ sandboxes: { ...world.engine.sandboxes, ensure } });
    await expect(read(run, "b.txt", full)).rejects.toMatchObject({
      code: "workspace.wake_refused",
      details: { reason: "sandbox_max", limit: 4, used: 4 },
    });
    expect(await stateOf(run)).toBe("asleep");
    await expectSound();
    expect(await read(run, "b.txt")).toMatchObject({ content: "kept\n" });
    await one.workspaces.close(run.agent, { runId: run.runId });
  });

  it("that was killed at whichever step is given back by the sweep, and the next call wakes", async () => {
    const own = await world.createProject();
    const run = await openAsleep(own);
    for (let step = 3; step < 60; step++) {
      await world.engine.sandboxes.remove({ sandboxId: sandboxIdOf(own.projectId) });
      await one.workspaces.sweep();
      const life = createLife(step);
      const process = world.startProcess({ life });
      await read(run, "b.txt", process).catch(() => null);
      process.kill();
      world.clock.shift(31_000);
      await two.workspaces.sweep();
      await expectSound();
      expect(await read(run, "b.txt", two)).toMatchObject({ content: "kept\n" });
      if (!life.isOver() || life.stepCount() < step) break;
    }
    await one.workspaces.close(run.agent, { runId: run.runId });
    await expectSound();
  });
});

describe("an end", () => {
  it.each([
    [0, 120],
    [5, 125],
    [180, 300],
    [181, 301],
  ])("after %i s charges %i", async (wallSeconds, chargedSeconds) => {
    const run = await openRun();
    const [session] = await sessionsOf(run);
    if (session?.openedAt === null || session === undefined) throw new Error("no session");
    if (wallSeconds > 150) {
      world.clock.shift(151_000);
      await write(run, "b.txt", "works on");
      await one.workspaces.sweep();
    }
    // The time that the calls took is taken out of the session, so that the figures are exact.
    const openedAt = new Date(world.clock.now().getTime() - Math.max(0, wallSeconds * 1000 - 900));
    await world.db.workspaceSession.update({
      where: { id: session.id },
      data: { openedAt, lastSeenAt: openedAt },
    });
    if (wallSeconds === 0) world.clock.shift(-5_000);
    const end = await one.workspaces.close(run.agent, { runId: run.runId });
    if (wallSeconds === 0) world.clock.shift(5_000);
    expect(end).toMatchObject({ wallSeconds, chargedSeconds });
    expect(await two.workspaces.close(run.agent, { runId: run.runId })).toEqual(end);
    await expectSound();
  });

  it("is one, whichever of fail, close, stop and complete race, and settles once", async () => {
    for (let round = 0; round < 4; round++) {
      const run = await openRun();
      await write(run, "new.txt", `${round}\n`);
      const { agent, runId } = run;
      const ends = await Promise.allSettled([
        one.workspaces.completeTask(agent, { runId, title: "t", summary: "s" }),
        two.workspaces.failTask(agent, { runId, reason: "r" }),
        one.workspaces.close(agent, { runId }),
        two.workspaces.stopRun({ role: "admin", actor: agent.actor }, { runId, reason: "r" }),
      ]);
      const codes = ends.flatMap((end) =>
        end.status === "rejected" ? [(end.reason as { code?: string }).code] : [],
      );
      expect(codes.filter((code) => code !== "run.ended" && code !== "run.busy")).toEqual([]);
      expect(["failed", "closed", "proposed"]).toContain(await stateOf(run));
      expect(await sessionsOf(run)).toMatchObject([{ state: "settled" }]);
      expect(await one.workspaces.slots(run.changeId)).toMatchObject({ open: 0 });
      const ended = await world.db.runEvent.count({ where: { runId, kind: "ended" } });
      expect(ended).toBe(1);
      await expectSound();
    }
  });

  it("of a Run that works ends its processes, its tokens and its command, by the time it answers", async () => {
    const run = await openRun();
    const { uid } = await one.workspaces.getRun(run.agent, run.runId);
    const command = await runCommand(run, "bun run long", 500);
    if (command.status !== "running") throw new Error(command.status);
    const fork = { projectId: project.projectId, forkName: `ws-${run.runId}`, runId: run.runId };
    await world.git.current().client.mintFetchToken(fork);
    const person = { role: "reviewer" as const, actor: run.agent.actor };
    const stopped = await two.workspaces.stopRun(person, { runId: run.runId, reason: "enough" });
    expect(stopped).toMatchObject({ state: "failed", endKind: "stopped", endReason: "enough" });
    expect(stopped.kept).toContain("log");
    expect(await world.shellIn(project.projectId, 0, `ps -u ${uid} -o args= || true`)).toBe("");
    expect(await world.git.find(`*${run.runId}*`)).toEqual([]);
    const wait = { runId: run.runId, commandId: command.commandId, waitMs: 10_000 };
    expect(await one.workspaces.waitCommand(run.agent, wait)).toMatchObject({ status: "interrupted" });
    await expect(read(run)).rejects.toMatchObject({ code: "run.ended" });
    await expectSound();
  });

  it("while the git service is away ends processes all the same, and the sweep does the rest", async () => {
    const run = await openRun();
    const { uid } = await one.workspaces.getRun(run.agent, run.runId);
    await runCommand(run, "bun run long", 500);
    const away = (): Promise<never> => Promise.reject(new Error("away"));
    const git = { ...world.git.current().client, revokeGrants: away, removeFork: away };
    const cut = world.startProcess({ git });
    await expect(cut.workspaces.close(run.agent, { runId: run.runId })).rejects.toThrow("away");
    expect(await world.shellIn(project.projectId, 0, `ps -u ${uid} -o args= || true`)).toBe("");
    const figures = await cut.workspaces.close(run.agent, { runId: run.runId });
    expect(figures.chargedSeconds).toBe(figures.wallSeconds + 120);
    await one.workspaces.sweep();
    expect(await world.git.find(`ws-${run.runId}*`)).toEqual([]);
  });

  it("comes to every Run of a Project that is archived", async () => {
    const own = await world.createProject();
    const [awake, asleep] = [await openRun(own), await openRun(own)];
    await world.db.run.update({
      where: { id: asleep.runId },
      data: { lastActivityAt: new Date(world.clock.now().getTime() - 130_000) },
    });
    await one.workspaces.sweep();
    expect(await stateOf(asleep)).toBe("asleep");
    await world.db.project.update({ where: { id: own.projectId }, data: { state: "archived" } });
    await two.workspaces.endRunsOf(own.projectId);
    for (const run of [awake, asleep]) {
      expect(await one.workspaces.getRun(run.agent, run.runId)).toMatchObject({
        state: "closed",
        endKind: "archived",
      });
    }
    await expectSound();
  });
});

it("A restart of sandboxd puts nobody to sleep and interrupts no command", async () => {
  const run = await openRun();
  const command = await runCommand(run, "bun run long", 500);
  if (command.status !== "running") throw new Error(command.status);
  await world.restartSandboxd();
  await Promise.all([read(run), two.workspaces.sweep(), one.workspaces.sweep()]);
  expect(await stateOf(run)).toBe("open");
  const wait = { runId: run.runId, commandId: command.commandId, waitMs: 1_000 };
  expect(await one.workspaces.waitCommand(run.agent, wait)).toMatchObject({ status: "running" });
  await one.workspaces.close(run.agent, { runId: run.runId });
  await until("the command has its end", async () => {
    const seen = await one.workspaces.waitCommand(run.agent, wait);
    return seen.status === "interrupted";
  });
});

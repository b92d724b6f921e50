import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerFaults, readLedger } from "../../testing/meter-world";
import { createLife } from "../../testing/mortal";
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
  project = await world.createProject();
  one = world.startProcess();
  two = world.startProcess();
});
afterAll(() => world.close());

/** What an open may leave: Runs, slots, seconds that are held, forks. */
async function readTraces({ changeId }: WorkspaceTask): Promise<object> {
  const change = await world.db.change.findUniqueOrThrow({ where: { id: changeId } });
  const sessions = await world.db.workspaceSession.findMany({
    where: { changeId },
    include: { months: true },
  });
  const held = sessions.flatMap(({ months }) => months.map(({ reservedSeconds }) => reservedSeconds));
  return {
    runs: await world.db.run.count({ where: { changeId } }),
    slots: change.openWorkspaces,
    held: held.reduce((sum, seconds) => sum + seconds, 0),
    faults: ledgerFaults(await readLedger(world.db)),
  };
}

/** A Task of a Change whose one slot is taken. */
async function createFullTask(of: WorkspaceProject): Promise<WorkspaceTask> {
  const task = await world.createTask(of, { slots: 1 });
  await world.db.change.update({ where: { id: task.changeId }, data: { openWorkspaces: 1 } });
  return task;
}

const nothing = { runs: 0, slots: 0, held: 0, faults: [] };

async function countForks(): Promise<number> {
  return (await world.git.find("ws-*")).length;
}

describe("a refused open leaves its event and nothing else", () => {
  const expectRefusal = async (
    task: WorkspaceTask,
    reason: string,
    process: WorkspaceProcess = one,
  ): Promise<Record<string, unknown>> => {
    const before = { traces: await readTraces(task), forks: await countForks() };
    const containers = (await world.engine.listSandboxContainers()).length;
    const answer = await process.workspaces.open(task.agent, { taskId: task.taskId });
    expect(answer).toMatchObject({ status: "refused", reason });
    if (answer.status !== "refused") throw new Error("not refused");
    expect({ traces: await readTraces(task), forks: await countForks() }).toEqual(before);
    expect((await world.engine.listSandboxContainers()).length).toBe(containers);
    const event = await world.db.event.findUniqueOrThrow({ where: { id: answer.refusalId } });
    expect(event).toMatchObject({ type: "workspace.refused", projectId: task.projectId });
    return answer;
  };

  it("for a Task that never opens a workspace, before anything else is looked at", async () => {
    const empty = await world.createProject();
    await world.db.project.update({ where: { id: empty.projectId }, data: { state: "importing" } });
    await expectRefusal(await world.createTask(empty, { kind: "design" }), "task_kind");
  });

  it("for a Project that is not ready, or has no commit, before slots are counted", async () => {
    const importing = await world.createProject();
    await world.db.project.update({ where: { id: importing.projectId }, data: { state: "importing" } });
    await expectRefusal(await createFullTask(importing), "project_not_ready");
    const renamed = await world.createProject();
    await world.db.project.update({ where: { id: renamed.projectId }, data: { defaultBranch: "other" } });
    await expectRefusal(await createFullTask(renamed), "project_not_ready");
  });

  it("for a Change without a free slot, before the meter is asked", async () => {
    const poor = world.startProcess({ capSeconds: 10 });
    const answer = await expectRefusal(await createFullTask(project), "change_slots_full", poor);
    expect(answer).toMatchObject({ limit: 1, used: 1 });
  });

  it("for a meter without room", async () => {
    const poor = world.startProcess({ capSeconds: 10 });
    const answer = await expectRefusal(await world.createTask(project), "meter_exhausted", poor);
    expect(answer).toMatchObject({ limit: 10 });
  });

  it("for a host without room, which shows a step later", async () => {
    const ensure = () =>
      Promise.resolve({
        status: "refused" as const,
        reason: "sandbox_max" as const,
        message: "2 of 2 sandboxes are live on this host (SANDBOX_MAX).",
        limit: 2,
        used: 2,
      });
    const full = world.startProcess({ sandboxes: { ...world.engine.sandboxes, ensure } });
    const answer = await expectRefusal(await world.createTask(project), "sandbox_max", full);
    expect(answer).toMatchObject({ limit: 2, used: 2 });
  });
});

describe("an open", () => {
  it("gives the directory, the base commit and what is reserved; closing charges the tail", async () => {
    const task = await world.createTask(project);
    const answer = await one.workspaces.open(task.agent, { taskId: task.taskId });
    if (answer.status !== "open") throw new Error(`refused: ${answer.message}`);
    expect(answer).toMatchObject({
      sandboxId: sandboxIdOf(project.projectId),
      directory: `/workspace/${answer.runId}`,
      forkName: `ws-${answer.runId}`,
      baseCommit: project.commit,
      reservedSeconds: 300,
    });
    const file = await two.workspaces.readFile(task.agent, {
      runId: answer.runId,
      path: "README.md",
      maxBytes: 100,
    });
    expect(file.content).toBe("hello\n");
    const end = await one.workspaces.close(task.agent, { runId: answer.runId });
    expect(end.chargedSeconds).toBe(end.wallSeconds + 120);
    expect(await two.workspaces.close(task.agent, { runId: answer.runId })).toEqual(end);
    expect(await readTraces(task)).toMatchObject({ slots: 0, held: 0, faults: [] });
    expect(await world.git.find(`ws-${answer.runId}*`)).toEqual([]);
  });

  it("of twenty at once from two processes with four slots comes about four times", async () => {
    const task = await world.createTask(project);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : two).workspaces.open(task.agent, { taskId: task.taskId }),
      ),
    );
    const opened = answers.flatMap((answer) => (answer.status === "open" ? [answer.runId] : []));
    expect(opened).toHaveLength(4);
    expect(answers.filter((answer) => answer.status === "refused").map(({ reason }) => reason)).toEqual(
      Array(16).fill("change_slots_full"),
    );
    expect(await readTraces(task)).toEqual({ runs: 4, slots: 4, held: 1_200, faults: [] });
    // Ends and opens of one Change at once never wait for each other crosswise.
    const mixed = await Promise.all([
      ...opened.map((runId, n) => (n % 2 === 0 ? two : one).workspaces.close(task.agent, { runId })),
      ...Array.from({ length: 4 }, () => one.workspaces.open(task.agent, { taskId: task.taskId })),
    ]);
    for (const answer of mixed)
      if ("status" in answer && answer.status === "open")
        await two.workspaces.close(task.agent, { runId: answer.runId });
    expect(await readTraces(task)).toMatchObject({ slots: 0, held: 0, faults: [] });
  });

  it("for the last 300 s of the meter, raced for from two processes, comes about once", async () => {
    const current = await one.meter.current(null);
    const capSeconds = current.usedSeconds + current.reservedSeconds + 300;
    const [left, right] = [world.startProcess({ capSeconds }), world.startProcess({ capSeconds })];
    const tasks = await Promise.all(Array.from({ length: 6 }, () => world.createTask(project)));
    const answers = await Promise.all(
      tasks.map((task, n) =>
        (n % 2 === 0 ? left : right).workspaces.open(task.agent, { taskId: task.taskId }),
      ),
    );
    expect(answers.map((answer) => (answer.status === "open" ? "open" : answer.reason)).sort()).toEqual([
      ...Array<string>(5).fill("meter_exhausted"),
      "open",
    ]);
    const won = answers.findIndex(({ status }) => status === "open");
    const [task, answer] = [tasks[won], answers[won]];
    if (task === undefined || answer?.status !== "open") throw new Error("nobody won");
    await one.workspaces.close(task.agent, { runId: answer.runId });
  });

  it("that is repeated with its key joins the first one, from another process too", async () => {
    const task = await world.createTask(project);
    const input = { taskId: task.taskId, idempotencyKey: "k" };
    const answers = await Promise.all([
      one.workspaces.open(task.agent, input),
      two.workspaces.open(task.agent, input),
      one.workspaces.open(task.agent, input),
    ]);
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect(await readTraces(task)).toMatchObject({ runs: 1, slots: 1 });
    const [answer] = answers;
    if (answer?.status !== "open") throw new Error("refused");
    await two.workspaces.close(task.agent, { runId: answer.runId });
  });

  it("of a Task of somebody else, or of none, is not found", async () => {
    const task = await world.createTask(project);
    const stranger = await world.createTask(await world.createProject());
    for (const taskId of [task.taskId, randomUUID()]) {
      await expect(one.workspaces.open(stranger.agent, { taskId })).rejects.toMatchObject({
        code: "task.not_found",
      });
    }
  });
});

describe("an open that breaks leaves nothing", () => {
  it.each([
    ["the git service is away", { git: "createFork" }],
    ["a clone has no token", { git: "mintFetchToken" }],
    ["sandboxd is away", { sandboxes: "ensure" }],
    ["the clone does not start", { sandboxes: "exec" }],
  ])("when %s", async (_, broken) => {
    const task = await world.createTask(project);
    const forks = await countForks();
    const fail = (): Promise<never> => Promise.reject(new Error("away"));
    const process = world.startProcess({
      git: { ...world.git.current().client, ...("git" in broken ? { [broken.git]: fail } : {}) },
      sandboxes: {
        ...world.engine.sandboxes,
        ...("sandboxes" in broken ? { [broken.sandboxes]: fail } : {}),
      },
    });
    await expect(process.workspaces.open(task.agent, { taskId: task.taskId })).rejects.toThrow("away");
    expect(await readTraces(task)).toEqual(nothing);
    expect(await countForks()).toBe(forks);
  });

  it("after one sweep, when its process was killed, before whichever step", async () => {
    const forks = await countForks();
    for (let step = 1; ; step++) {
      const task = await world.createTask(project);
      const life = createLife(step);
      const process = world.startProcess({ life });
      const answer = await process.workspaces.open(task.agent, { taskId: task.taskId }).catch(() => null);
      if (answer?.status === "open" && !life.isOver()) {
        expect(step).toBeGreaterThan(5);
        await one.workspaces.close(task.agent, { runId: answer.runId });
        break;
      }
      process.kill();
      world.clock.shift(31_000);
      await two.workspaces.sweep();
      expect({ step, ...(await readTraces(task)) }).toEqual({ step, ...nothing });
      expect(await countForks()).toBe(forks);
      const directories = await world.shellIn(project.projectId, 0, "ls /workspace").catch(() => "");
      expect(directories.trim()).toBe("");
    }
  });
});

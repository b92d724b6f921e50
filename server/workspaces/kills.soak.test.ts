import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerFaults, readLedger } from "../testing/meter-world";
import { createLife, type Life } from "../testing/mortal";
import type { WorkspaceProcess } from "../testing/workspace-process";
import { openTestRun, type OpenRun } from "../testing/workspace-run";
import { createWorkspaceWorld, type WorkspaceProject, type WorkspaceWorld } from "../testing/workspace-world";

/** No call takes more steps; a test that comes so far never ends by itself. */
const stepsMax = 500;

let world: WorkspaceWorld;
let project: WorkspaceProject;
let survivor: WorkspaceProcess;
beforeAll(async () => {
  world = await createWorkspaceWorld("runc");
  project = await world.createProject();
  survivor = world.startProcess();
});
afterAll(() => world.close());

/** Lets `act` be killed before each of its steps in turn, each followed by one sweep, until it survives. */
async function killAtEach(
  prepare: () => Promise<OpenRun | null>,
  act: (dying: WorkspaceProcess, run: OpenRun | null) => Promise<unknown>,
  check: (run: OpenRun | null, step: number, life: Life) => Promise<void>,
): Promise<void> {
  for (let step = 1; step < stepsMax; step++) {
    const run = await prepare();
    const life = createLife(step);
    const dying = world.startProcess({ life });
    await act(dying, run).catch(() => undefined);
    const isKilled = life.isOver();
    dying.kill();
    world.clock.shift(31_000);
    await survivor.workspaces.sweep();
    await check(run, step, life);
    expect({ step, faults: ledgerFaults(await readLedger(world.db)) }).toEqual({ step, faults: [] });
    if (!isKilled) return;
  }
  throw new Error(`still killed at step ${stepsMax}`);
}

const newRun = async (): Promise<OpenRun> => {
  const run = await openTestRun(world, survivor, project);
  await run.write("new.txt", `${run.runId}\n`);
  return run;
};

/** Nothing is left of a Run that has ended: no fork, directory, process, slot, or seconds held. */
async function expectGone(run: OpenRun, step: number): Promise<void> {
  const left = await world.shellIn(project.projectId, 0, `ls /workspace; ps -u ${run.uid} -o args=`);
  const forks = await world.git.find(`ws-${run.runId}*`);
  const { open } = await survivor.workspaces.slots(run.changeId);
  const { reservedSeconds } = await survivor.meter.current(null);
  expect({ step, left, forks, open, reservedSeconds }).toEqual({
    step,
    left: "",
    forks: [],
    open: 0,
    reservedSeconds: 0,
  });
}

it("an open that is killed leaves nothing after one sweep", async () => {
  const tasks: Awaited<ReturnType<WorkspaceWorld["createTask"]>>[] = [];
  await killAtEach(
    async () => {
      tasks.push(await world.createTask(project));
      return null;
    },
    async (dying) => {
      const task = tasks.at(-1);
      if (task !== undefined) await dying.workspaces.open(task.agent, { taskId: task.taskId });
    },
    async (_, step, life) => {
      const task = tasks.at(-1);
      if (task === undefined) throw new Error("no Task");
      const runs = await world.db.run.findMany({ where: { changeId: task.changeId } });
      if (!life.isOver()) expect(runs).toHaveLength(1);
      // The answer may be lost after the Run was opened; it is then an open Run, and no half one.
      for (const { id, state } of runs) {
        expect({ step, state }).toEqual({ step, state: "open" });
        await survivor.workspaces.close(task.agent, { runId: id });
      }
      const { open } = await survivor.workspaces.slots(task.changeId);
      const { reservedSeconds } = await survivor.meter.current(null);
      expect({ step, open, reservedSeconds }).toEqual({ step, open: 0, reservedSeconds: 0 });
      expect(await world.git.find("ws-*")).toEqual([]);
    },
  );
});

it("a completion that is killed comes to one ChangeSet or can be asked for again", async () => {
  const words = { title: "t", summary: "s" };
  await killAtEach(
    newRun,
    async (dying, run) => {
      if (run !== null) await dying.workspaces.completeTask(run.agent, { runId: run.runId, ...words });
    },
    async (run, step) => {
      if (run === null) throw new Error("no Run");
      const result = await survivor.workspaces.completeTask(run.agent, { runId: run.runId, ...words });
      const sets = await world.db.changeSet.findMany({ where: { runId: run.runId } });
      expect({ step, result, count: sets.length }).toMatchObject({
        result: { status: "proposed", headCommit: sets[0]?.headCommit },
        count: 1,
      });
      await survivor.workspaces.sweep();
      await expectGone(run, step);
    },
  );
});

it("a close that is killed is either not begun or done by one sweep, with the same figures for ever", async () => {
  await killAtEach(
    newRun,
    async (dying, run) => {
      if (run !== null) await dying.workspaces.close(run.agent, { runId: run.runId });
    },
    async (run, step) => {
      if (run === null) throw new Error("no Run");
      const figures = await run.close();
      expect(await run.close()).toEqual(figures);
      await expectGone(run, step);
    },
  );
});

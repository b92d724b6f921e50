import { afterAll, beforeAll, expect, it } from "vitest";
import type { GitService } from "../git/types";
import type { Db } from "../platform/db";
import type { Sandboxes } from "../sandboxd/types";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { ledgerFaults, readLedger } from "../testing/meter-world";
import { insertTask, type TaskRows } from "../testing/run-rows";
import {
  createAgent,
  createShiftedClock,
  createWorkspaceProcess,
  type WorkspaceProcess,
} from "../testing/workspace-process";

const rounds = 1_000;
const commit = "1".repeat(40);

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());

/** A git service and Sandboxes that do everything at once, so that nothing but the database decides a race. */
const git = {
  getBranch: () => Promise.resolve({ commit }),
  createFork: () => Promise.resolve({ commit }),
  mintFetchToken: () => Promise.resolve({ token: "t", expiresAt: "" }),
  revokeGrants: () => Promise.resolve(),
  removeFork: () => Promise.resolve(),
} as unknown as GitService;
const sandbox = { sandboxId: "", state: "live", runtimeId: "r", runtime: "runc", imageDigest: null };
const end = { status: "exited", exitCode: 0 };
const sandboxes = {
  ensure: () => Promise.resolve({ status: "live", sandbox }),
  find: () => Promise.resolve(sandbox),
  prepareRun: () => Promise.resolve({ home: "/h", tmp: "/t" }),
  removeRun: () => Promise.resolve(),
  exec: () => Promise.resolve(end),
} as unknown as Sandboxes;

/** Two processes as two web servers would be. */
function startPair(capSeconds: number): [WorkspaceProcess, WorkspaceProcess] {
  const clock = createShiftedClock();
  const start = (): WorkspaceProcess =>
    createWorkspaceProcess({ db: database.open(), sandboxes, git, clock, capSeconds });
  return [start(), start()];
}

/** Lets each process open for each Task at once; gives the Runs that came to be, which are closed again. */
async function race(pair: readonly WorkspaceProcess[], tasks: readonly TaskRows[]): Promise<string[]> {
  const answers = await Promise.all(
    tasks.flatMap((task) =>
      pair.map(async (process) => {
        const agent = createAgent(task.projectId);
        const answer = await process.workspaces.open(agent, { taskId: task.taskId });
        return { process, agent, answer };
      }),
    ),
  );
  const opened = answers.flatMap(({ answer, ...by }) =>
    answer.status === "open" ? [{ ...by, runId: answer.runId }] : [],
  );
  await Promise.all(opened.map(({ process, agent, runId }) => process.workspaces.close(agent, { runId })));
  return opened.map(({ runId }) => runId);
}

/** A slot that was counted first and taken later would now and then be taken twice. */
it(`the last slot goes to one of two processes in each of ${rounds} rounds, and comes back`, async () => {
  const pair = startPair(1_000_000_000);
  const task = await insertTask(db);
  await db.change.update({ where: { id: task.changeId }, data: { maxActiveSandboxes: 1 } });
  for (let round = 0; round < rounds; round++) {
    expect({ round, opened: (await race(pair, [task])).length }).toEqual({ round, opened: 1 });
    const change = await db.change.findUniqueOrThrow({ where: { id: task.changeId } });
    expect(change.openWorkspaces).toBe(0);
  }
  expect(ledgerFaults(await readLedger(db))).toEqual([]);
});

/** Two reservations for the same 300 s would charge more than the cap. */
it(`the last 300 s of the meter go to one of two processes in each of ${rounds} rounds`, async () => {
  const tasks = [await insertTask(db), await insertTask(db)];
  const capSeconds = 1_000_000;
  const pair = startPair(capSeconds);
  for (let round = 0; round < rounds; round++) {
    // What the round before used is forgotten.
    await db.$executeRaw`TRUNCATE usage_counters, workspace_sessions, workspace_session_months`;
    const month = new Date().toISOString().slice(0, 7);
    const usedSeconds = capSeconds - 300;
    await db.usageCounter.create({ data: { counter: "sandbox-seconds", month, usedSeconds } });
    expect({ round, opened: (await race(pair, tasks)).length }).toEqual({ round, opened: 1 });
    const counter = await db.usageCounter.findFirstOrThrow();
    expect(counter).toMatchObject({ reservedSeconds: 0 });
    expect(counter.usedSeconds).toBeLessThanOrEqual(capSeconds);
  }
});

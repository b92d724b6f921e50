import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChangeSetState } from "../changesets/types";
import type { Db } from "../platform/db";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createFakeClock } from "../testing/fake-clock";
import { insertRun, insertTask, type TaskRows } from "../testing/run-rows";
import type { RunEndKind } from "../workspaces/runs/types";
import { createInbox, type Inbox } from "./service";
import { createInboxStore } from "./store";
import type { InboxGroup } from "./types";

const clock = createFakeClock();
const hourMs = 3_600_000;
let database: TestDatabase;
let db: Db;
let inbox: Inbox;
/** Every test looks at one Project of its own. */
let task: TaskRows;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  const seconds = { wallSeconds: 10, chargedSeconds: 130, reservedSeconds: 0, isSettled: true };
  inbox = createInbox({
    store: createInboxStore(db),
    meter: { secondsByChange: (ids) => Promise.resolve(new Map(ids.map((id) => [id, seconds]))) },
    clock,
  });
});

beforeEach(async () => {
  task = await insertTask(db);
});

afterAll(async () => {
  await database.drop();
});

const hoursAgo = (hours: number): Date => new Date(clock.now().getTime() - hours * hourMs);

async function propose(of: TaskRows, state: ChangeSetState, createdAt: Date): Promise<string> {
  const runId = await insertRun(db, of);
  await db.run.update({
    where: { id: runId },
    data: { state: "proposed", endKind: "completed", endedAt: createdAt },
  });
  const id = randomUUID();
  const commits = { baseCommit: "b".repeat(40), headCommit: "c".repeat(40) };
  const stats = { filesChanged: 1, insertions: 2, deletions: 3 };
  await db.changeSet.create({
    data: {
      id,
      ...of,
      runId,
      seriesId: id,
      version: 1,
      state,
      title: `Limit ${state}`,
      summary: "",
      ...commits,
      ...stats,
      createdAt,
    },
  });
  return id;
}

async function endRun(of: TaskRows, endKind: RunEndKind, endedAt: Date): Promise<string> {
  const runId = await insertRun(db, of);
  await db.run.update({ where: { id: runId }, data: { state: "failed", endKind, endReason: "x", endedAt } });
  return runId;
}

async function read(group: InboxGroup, more: { search?: string; after?: string; limit?: number } = {}) {
  const { count, rows } = await inbox.list({
    group,
    projectId: task.projectId,
    search: more.search ?? null,
    after: more.after ?? null,
    limit: more.limit ?? 50,
  });
  return { count, rows, ids: rows.map(({ id }) => id) };
}

describe("what waits", () => {
  it("stands in the group of whose turn it is, oldest first", async () => {
    const second = await propose(task, "proposed", hoursAgo(1));
    const first = await propose(task, "proposed", hoursAgo(2));
    const asked = await propose(task, "changes_requested", hoursAgo(3));
    const approved = await propose(task, "approved", hoursAgo(4));
    const failed = await propose(task, "merge_failed", hoursAgo(5));
    await propose(task, "superseded", hoursAgo(6));
    await propose(task, "rejected", hoursAgo(6));
    expect((await read("needs_review")).ids).toEqual([first, second]);
    expect((await read("changes_requested")).ids).toEqual([asked]);
    expect((await read("approved")).ids).toEqual([failed, approved]);
  });

  it("is the agent's turn while a Run works on the ChangeSet again", async () => {
    const asked = await propose(task, "changes_requested", hoursAgo(3));
    const runId = await insertRun(db, task);
    await db.run.update({ where: { id: runId }, data: { state: "open", revisesChangeSetId: asked } });
    expect((await read("changes_requested")).count).toBe(0);
    expect((await read("working")).ids).toEqual([runId]);
  });

  it("says what a reader needs to choose: sizes, threads, seconds and slots", async () => {
    const id = await propose(task, "proposed", hoursAgo(1));
    for (const state of ["open", "open", "resolved"] as const) {
      await db.commentThread.create({
        data: {
          id: randomUUID(),
          changeSetId: id,
          kind: "note",
          lines: [],
          linesBefore: [],
          linesAfter: [],
          state,
          createdAt: hoursAgo(1),
        },
      });
    }
    const [row] = (await read("needs_review")).rows;
    expect(row).toMatchObject({
      projectName: "p",
      changeTitle: "c",
      chargedSeconds: 130,
      openWorkspaces: 0,
      changeSet: { insertions: 2, deletions: 3, filesChanged: 1, unresolvedThreads: 2, mergeOutcome: null },
    });
  });
});

describe("Runs", () => {
  it("are stuck when they broke lately and left nothing behind them", async () => {
    const old = await endRun(task, "lost", hoursAgo(24 * 4));
    const expired = await endRun(task, "expired", hoursAgo(2));
    const failed = await endRun(task, "fail_task", hoursAgo(1));
    await endRun(task, "stopped", hoursAgo(1));
    await endRun(task, "closed", hoursAgo(1));
    const { ids, count } = await read("stuck");
    expect(ids).toEqual([failed, expired]);
    expect(ids).not.toContain(old);
    expect(count).toBe(2);
  });

  it("are not stuck any more once another one tries or has proposed", async () => {
    await endRun(task, "lost", hoursAgo(2));
    const again = await insertRun(db, task);
    expect((await read("stuck")).count).toBe(0);
    await db.run.update({
      where: { id: again },
      data: { state: "closed", endKind: "closed", endedAt: hoursAgo(1) },
    });
    expect((await read("stuck")).count).toBe(1);
    await propose(task, "proposed", hoursAgo(1));
    expect((await read("stuck")).count).toBe(0);
  });
});

it("merged lately stands by the time of the merge, newest first", async () => {
  const merge = async (changeSetId: string, finishedAt: Date): Promise<string> => {
    const id = randomUUID();
    const actor = {
      actorId: randomUUID(),
      actorKind: "person",
      actorName: "Ada",
      email: "ada@rhumbatron.test",
    };
    const what = { branch: "main", expectedBase: "b".repeat(40), message: "m", taskId: task.taskId };
    await db.merge.create({
      data: {
        id,
        changeSetId,
        ...actor,
        ...what,
        begunAt: finishedAt,
        finishedAt,
        outcome: "merged",
        commit: "d".repeat(40),
      },
    });
    return id;
  };
  const early = await merge(await propose(task, "merged", hoursAgo(1)), hoursAgo(30));
  const late = await merge(await propose(task, "merged", hoursAgo(50)), hoursAgo(1));
  await merge(await propose(task, "merged", hoursAgo(1)), hoursAgo(24 * 15));
  expect((await read("merged")).ids).toEqual([late, early]);
  expect((await read("merged", { limit: 1, after: late })).ids).toEqual([early]);
});

describe("pages", () => {
  it("tell every row once, and count the whole group", async () => {
    // Equal times: the id decides.
    const all: string[] = [];
    for (let index = 0; index < 5; index += 1) all.push(await propose(task, "proposed", hoursAgo(1)));
    const first = await read("needs_review", { limit: 2 });
    const second = await read("needs_review", { limit: 2, after: first.ids[1] ?? "" });
    const third = await read("needs_review", { limit: 2, after: second.ids[1] ?? "" });
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(all.toSorted());
    expect(third.count).toBe(5);
  });

  it("lose no row when the one that they go on after leaves the group", async () => {
    const first = await propose(task, "proposed", hoursAgo(3));
    const second = await propose(task, "proposed", hoursAgo(2));
    await db.changeSet.update({ where: { id: first }, data: { state: "approved" } });
    expect((await read("needs_review", { after: first })).ids).toEqual([second]);
  });

  it("end at a row that does not exist", async () => {
    await propose(task, "proposed", hoursAgo(1));
    for (const group of ["needs_review", "working", "merged"] as const) {
      expect((await read(group, { after: randomUUID() })).ids).toEqual([]);
    }
  });
});

it("a search looks into titles and into nothing of other Projects", async () => {
  await propose(await insertTask(db), "proposed", hoursAgo(1));
  const own = await propose(task, "proposed", hoursAgo(1));
  expect((await read("needs_review", { search: "LIMIT prop" })).ids).toEqual([own]);
  expect((await read("needs_review", { search: "no such words" })).count).toBe(0);
  expect((await read("needs_review", { search: "a\0b\ud800" })).count).toBe(0);
});

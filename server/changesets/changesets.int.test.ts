import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../access/scope";
import { createEvents } from "../events/service";
import { createEventStore } from "../events/store";
import { createTransactions, type Db } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createFakeClock } from "../testing/fake-clock";
import { insertRun, insertTask, type TaskRows } from "../testing/run-rows";
import type { Proposal, ProposedChangeSet } from "../workspaces/completion/proposals";
import { createHistoryWriter } from "./history/store";
import { createProposals } from "./proposals";
import { createChangeSetStore, createChangeSetWriter } from "./store";
import type { ChangeSetState } from "./types";

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});

afterAll(async () => {
  await database.drop();
});

const start = "1".repeat(40);

/** One process with a pool of its own. */
function createProcess() {
  const pool = database.open();
  const ids = createSystemIds();
  const events = createEvents({ store: createEventStore(pool), clock: createFakeClock(), ids });
  const store = createChangeSetStore(pool);
  const history = createHistoryWriter({ ids });
  const proposals = createProposals({ store, writerIn: createChangeSetWriter, history, events, ids });
  const transaction = createTransactions(pool);
  const propose = (proposal: Proposal): Promise<ProposedChangeSet> =>
    transaction((tx) => proposals.write(tx, proposal));
  return { proposals, store, propose };
}

async function proposalOf(
  task: TaskRows,
  revisesChangeSetId: string | null,
  words: Partial<Proposal> = {},
): Promise<Proposal> {
  return {
    ...task,
    runId: await insertRun(db, task),
    revisesChangeSetId,
    title: "Adds a limit",
    summary: "",
    startCommit: start,
    headCommit: "2".repeat(40),
    stats: { filesChanged: 1, insertions: 2, deletions: 3 },
    at: new Date("2026-01-15T12:00:00.000Z"),
    ...words,
  };
}

const stateOf = async (id: string) => (await db.changeSet.findUniqueOrThrow({ where: { id } })).state;
const setState = (id: string, state: ChangeSetState) =>
  db.changeSet.update({ where: { id }, data: { state } });
const eventsOf = (task: TaskRows) =>
  db.event.findMany({ where: { projectId: task.projectId, type: "changeset.proposed" } });

describe("a series", () => {
  it("begins at version 1 on the Run's start commit, and another attempt at the Task leaves it alone", async () => {
    const { propose } = createProcess();
    const task = await insertTask(db);
    const first = await propose(await proposalOf(task, null));
    const second = await propose(await proposalOf(task, null));
    expect(first).toMatchObject({ version: 1, baseCommit: start });
    expect(second).toMatchObject({ version: 1, baseCommit: start });
    expect(second.seriesId).not.toBe(first.seriesId);
    expect(await stateOf(first.changeSetId)).toBe("proposed");
  });

  it("goes on with a revision, which keeps the base and ends the version before", async () => {
    const { propose, proposals } = createProcess();
    const task = await insertTask(db);
    const first = await propose(await proposalOf(task, null));
    const revision = await proposalOf(task, first.changeSetId, { startCommit: "2".repeat(40) });
    expect(await proposals.findBase(revision)).toBe(start);
    const second = await propose(revision);
    expect(second).toMatchObject({ seriesId: first.seriesId, version: 2, baseCommit: start });
    expect(await stateOf(first.changeSetId)).toBe("superseded");
    expect(await stateOf(second.changeSetId)).toBe("proposed");
  });

  it("gives a revision of an older version the highest number, and ends what was the latest", async () => {
    const { propose } = createProcess();
    const task = await insertTask(db);
    const first = await propose(await proposalOf(task, null));
    const late = await proposalOf(task, first.changeSetId);
    const second = await propose(await proposalOf(task, first.changeSetId));
    expect(await propose(late)).toMatchObject({ version: 3 });
    expect(await stateOf(second.changeSetId)).toBe("superseded");
  });

  it.each(["merged", "rejected", "withdrawn"] as const)(
    "does not take back that a version was %s",
    async (state) => {
      const { propose } = createProcess();
      const task = await insertTask(db);
      const first = await propose(await proposalOf(task, null));
      const revision = await proposalOf(task, first.changeSetId);
      await setState(first.changeSetId, state);
      expect(await propose(revision)).toMatchObject({ version: 2 });
      expect(await stateOf(first.changeSetId)).toBe(state);
    },
  );
});

describe("at the same time", () => {
  /** Without it two reviewers look at two different "version 2", and an approval may count for the other. */
  it("completed revisions in several processes never get the same version, and one is left that is not superseded", async () => {
    const task = await insertTask(db);
    const processes = [createProcess(), createProcess(), createProcess()];
    const first = await createProcess().propose(await proposalOf(task, null));
    const revisions = await Promise.all(Array.from({ length: 9 }, () => proposalOf(task, first.changeSetId)));
    const made = await Promise.all(
      processes.flatMap(({ propose }, index) => revisions.filter((_, n) => n % 3 === index).map(propose)),
    );
    expect(made.map(({ version }) => version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const rows = await db.changeSet.findMany({
      where: { seriesId: first.seriesId },
      orderBy: { version: "asc" },
    });
    expect(rows.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 9 }, () => "superseded"),
      "proposed",
    ]);
  });

  it("repeats for one Run give one ChangeSet and one event", async () => {
    const task = await insertTask(db);
    const [one, other] = [createProcess(), createProcess()];
    const proposal = await proposalOf(task, null);
    const made = await Promise.all([one, other, one, other].map(({ propose }) => propose(proposal)));
    expect(new Set(made.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await one.propose(proposal)).toEqual(made[0]);
    expect(await other.proposals.findByRun(proposal.runId)).toEqual(made[0]);
    expect(await eventsOf(task)).toHaveLength(1);
  });
});

it("a transaction that is rolled back leaves no ChangeSet, no event and the older version as it was", async () => {
  const { propose, proposals } = createProcess();
  const task = await insertTask(db);
  const first = await propose(await proposalOf(task, null));
  const revision = await proposalOf(task, first.changeSetId);
  await expect(
    createTransactions(db)(async (tx) => {
      await proposals.write(tx, revision);
      throw new Error("lost the database");
    }),
  ).rejects.toThrow("lost the database");
  expect(await proposals.findByRun(revision.runId)).toBeNull();
  expect(await stateOf(first.changeSetId)).toBe("proposed");
  expect(await eventsOf(task)).toHaveLength(1);
});

it("the event says which ChangeSet of which Run, and what it supersedes", async () => {
  const { propose } = createProcess();
  const task = await insertTask(db);
  const first = await propose(await proposalOf(task, null));
  const revision = await proposalOf(task, first.changeSetId, { title: "zero \0 and half \ud800" });
  const second = await propose(revision);
  const [, event] = await eventsOf(task);
  expect(event).toMatchObject({
    changeId: task.changeId,
    data: {
      changeSetId: second.changeSetId,
      runId: revision.runId,
      version: 2,
      supersedes: [first.changeSetId],
    },
  });
});

it("a title and a summary of any characters are stored", async () => {
  const { propose, store } = createProcess();
  const task = await insertTask(db);
  const made = await propose(await proposalOf(task, null, { title: "a\0b", summary: "c\udc00d" }));
  expect(await store.find(made.changeSetId, everything)).toMatchObject({
    title: "a\u2400b",
    summary: "c\ufffdd",
  });
});

describe("a revision is let in", () => {
  it.each([
    ["proposed", true],
    ["changes_requested", true],
    ["approved", true],
    ["superseded", false],
    ["rejected", false],
    ["mergeable", false],
    ["merged", false],
    ["not_chosen", false],
    ["withdrawn", false],
  ] as const)("of one that is %s: %s", async (state, isAllowed) => {
    const { propose, proposals } = createProcess();
    const task = await insertTask(db);
    const { changeSetId } = await propose(await proposalOf(task, null));
    await setState(changeSetId, state);
    const answer = proposals.canRevise(changeSetId, task.taskId);
    if (isAllowed) expect(await answer).toEqual({ headCommit: "2".repeat(40), projectId: task.projectId });
    else await expect(answer).rejects.toMatchObject({ code: "conflict.stale" });
  });

  it("for its own Task only, and one of another Task reads like one that does not exist", async () => {
    const { propose, proposals } = createProcess();
    const task = await insertTask(db);
    const other = await insertTask(db);
    const { changeSetId } = await propose(await proposalOf(task, null));
    const faults = await Promise.all(
      [changeSetId, createSystemIds().uuid()].map((id) =>
        proposals.canRevise(id, other.taskId).catch((error: unknown) => String(error)),
      ),
    );
    expect(faults[0]).toBe(faults[1]);
  });
});

it("a scope hides what it does not reach, and a list has every one once, page by page", async () => {
  const { propose, store } = createProcess();
  const [task, other] = [await insertTask(db), await insertTask(db)];
  const scope = { projectId: task.projectId, changeId: null };
  for (let n = 0; n < 5; n++) await propose(await proposalOf(task, null));
  const foreign = await propose(await proposalOf(other, null));
  expect(await store.find(foreign.changeSetId, scope)).toBeNull();
  const filter = { projectId: null, changeId: null, taskId: null, state: null, scope };
  const seen: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await store.list({ ...filter, after, limit: 2 });
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1)?.id ?? null;
    if (after === null) break;
  }
  expect(new Set(seen).size).toBe(5);
  expect(await store.list({ ...filter, after: foreign.changeSetId, limit: 5 })).toEqual([]);
  expect(await store.list({ ...filter, projectId: other.projectId, after: null, limit: 5 })).toEqual([]);
});

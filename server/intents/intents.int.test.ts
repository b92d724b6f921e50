import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everything } from "../access/scope";
import { createEvents, type Events } from "../events/service";
import { createEventStore } from "../events/store";
import { createTransactions, type Db } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import type { TaskRecord } from "../projects/types";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createFakeClock } from "../testing/fake-clock";
import { insertTask } from "../testing/run-rows";
import { createIntents, type Intents } from "./service";
import { createIntentStore } from "./store";

let database: TestDatabase;
let db: Db;
let events: Events;
let intents: Intents;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  const [clock, ids] = [createFakeClock(), createSystemIds()];
  events = createEvents({ store: createEventStore(db), clock, ids });
  const transaction = createTransactions(db);
  intents = createIntents({
    store: createIntentStore(db),
    storeIn: createIntentStore,
    transaction,
    events,
    clock,
    ids,
  });
});

afterAll(async () => {
  await database.drop();
});

async function createTask(): Promise<TaskRecord> {
  const { taskId, ...rest } = await insertTask(db);
  const createdAt = new Date("2026-01-15T12:00:00.000Z");
  return { ...rest, id: taskId, kind: "implement", title: "t", instructions: "", createdAt };
}

function refuse(task: TaskRecord): Promise<string> {
  return createTransactions(db)((tx) =>
    events.append(tx, {
      type: "workspace.refused",
      at: new Date("2026-01-15T12:00:00.000Z"),
      projectId: task.projectId,
      changeId: task.changeId,
      data: { taskId: task.id, reason: "change_slots_full" },
    }),
  );
}

const words = { title: "Limit by token", body: "because …", actorId: randomUUID() };

it("an Intent and its event are written together, with the refusal that it answers", async () => {
  const task = await createTask();
  const refusalId = await refuse(task);
  const intent = await intents.declare({ ...words, task, refusalId });
  expect(intent).toMatchObject({ taskId: task.id, refusalId });
  expect(
    await events.list({
      types: ["intent.declared"],
      projectId: task.projectId,
      changeId: null,
      after: null,
      limit: 5,
    }),
  ).toMatchObject([{ data: { intentId: intent.id, refusalId } }]);
});

it("a refusal of another Task reads like one that does not exist, and nothing is written", async () => {
  const [task, other] = [await createTask(), await createTask()];
  const foreign = await refuse(other);
  const faults = await Promise.all(
    [foreign, randomUUID()].map((refusalId) =>
      intents.declare({ ...words, task, refusalId }).catch((error: unknown) => String(error)),
    ),
  );
  expect(faults[0]).toBe(faults[1]);
  expect(faults[0]).toContain("there is no such refusal");
  expect(await db.intent.count({ where: { taskId: task.id } })).toBe(0);
});

it("an event of another kind is no refusal", async () => {
  const task = await createTask();
  await intents.declare({ ...words, task, refusalId: null });
  const [declared] = await events.list({
    types: null,
    projectId: task.projectId,
    changeId: null,
    after: null,
    limit: 5,
  });
  const answer = intents.declare({ ...words, task, refusalId: declared?.id ?? "" });
  await expect(answer).rejects.toMatchObject({ code: "event.not_found" });
});

it("text of any characters is stored, and a scope lists its own Intents only", async () => {
  const [task, other] = [await createTask(), await createTask()];
  await intents.declare({ ...words, task, title: "a\0b", body: "c\ud800d", refusalId: null });
  const foreign = await intents.declare({ ...words, task: other, refusalId: null });
  const filter = { projectId: null, changeId: null, taskId: null, after: null, limit: 5 };
  const scope = { projectId: task.projectId, changeId: null };
  expect(await intents.list({ ...filter, scope })).toMatchObject([{ title: "a\u2400b", body: "c\ufffdd" }]);
  expect(await intents.list({ ...filter, scope, after: foreign.id })).toEqual([]);
  expect(await intents.list({ ...filter, scope: everything, taskId: other.id })).toHaveLength(1);
});

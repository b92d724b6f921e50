import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../access/scope";
import { createSystemIds } from "../platform/ids";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createProjectStore, type ProjectStore } from "./store";

let database: TestDatabase;
let store: ProjectStore;
const ids = createSystemIds();
const actorId = ids.uuid();
const own = ids.uuid();
const foreign = ids.uuid();
const scope = { projectId: own, changeId: null };

beforeAll(async () => {
  database = await createTestDatabase();
  store = createProjectStore(database.open());
  for (const [index, id] of [own, foreign].entries()) {
    await store.createProject({
      id,
      name: "p",
      defaultBranch: "main",
      state: "ready",
      importUrl: null,
      stateDetail: null,
      createdAt: new Date(index),
      archivedAt: null,
    });
  }
});

afterAll(() => database.drop());

async function createChange(projectId: string, createdAt = new Date(5)): Promise<string> {
  const id = ids.uuid();
  const words = { title: "t\0", description: "\ud800" };
  await store.createChange(
    { id, projectId, ...words, maxActiveSandboxes: null, openWorkspaces: 0, createdAt },
    actorId,
  );
  return id;
}

async function createTask(projectId: string, changeId: string): Promise<string> {
  const id = ids.uuid();
  await store.createTask(
    { id, projectId, changeId, kind: "implement", title: "t", instructions: "i", createdAt: new Date(6) },
    actorId,
  );
  return id;
}

describe("what a scope does not reach", () => {
  it("is absent, whichever way it is asked for", async () => {
    const changeId = await createChange(foreign);
    const taskId = await createTask(foreign, changeId);
    expect(await store.findProject(foreign, scope)).toBeNull();
    expect(await store.findChange(changeId, scope)).toBeNull();
    expect(await store.findTask(taskId, scope)).toBeNull();
    expect(await store.listChanges(foreign, scope, { after: null, limit: 10 })).toEqual([]);
    expect(await store.listTasks(changeId, scope, { after: null, limit: 10 })).toEqual([]);
  });

  it("is no cursor either: the page behind it is that of an id that does not exist", async () => {
    const changeId = await createChange(foreign, new Date(1));
    const taskId = await createTask(foreign, changeId);
    await createTask(own, await createChange(own));
    expect(await store.listProjects(scope, { after: foreign, limit: 10 })).toEqual([]);
    expect(await store.listChanges(null, scope, { after: changeId, limit: 10 })).toEqual([]);
    expect(await store.listTasks(null, scope, { after: taskId, limit: 10 })).toEqual([]);
  });

  it("of one Change leaves out the others of its Project", async () => {
    const [mine, other] = [await createChange(own), await createChange(own)];
    const narrow = { projectId: own, changeId: mine };
    expect(await store.findChange(other, narrow)).toBeNull();
    expect((await store.listChanges(own, narrow, { after: null, limit: 10 })).map(({ id }) => id)).toEqual([
      mine,
    ]);
  });
});

it("keeps words that hold NUL or half a character, made visible", async () => {
  const change = await store.findChange(await createChange(own), everything);
  expect(change).toMatchObject({ title: "t\u2400", description: "\ufffd" });
});

it("moves a Project only from a state that it is in", async () => {
  expect(await store.moveProject(own, ["importing"], "failed", "x", new Date())).toBe(false);
  expect((await store.findProject(own, everything))?.state).toBe("ready");
});

import { beforeEach, expect, it } from "vitest";
import { actorOf } from "../testing/actor-of";
import { createFakeApi, fakeChangeSet, fakeSandbox, type FakeApi } from "../testing/fake-api";
import { createCaller } from "./root";

const actorId = "99999999-9999-4999-8999-999999999999";
const everywhere = { projectId: null, changeId: null };

let api: FakeApi;
let admin: ReturnType<typeof createCaller>;
let reviewer: ReturnType<typeof createCaller>;
let projectId: string;
let changeId: string;
let taskId: string;
let runId: string;

beforeEach(async () => {
  api = createFakeApi();
  admin = createCaller({
    deps: api.deps,
    caller: { role: "admin", actor: actorOf(actorId) },
    signedIn: null,
    browser: null,
  });
  reviewer = createCaller({
    deps: api.deps,
    caller: { role: "reviewer", actor: actorOf(actorId) },
    signedIn: null,
    browser: null,
  });
  projectId = (await admin.project.create({ name: "p" })).id;
  changeId = (await reviewer.change.create({ projectId, title: "c", maxActiveSandboxes: 2 })).id;
  taskId = (await reviewer.task.create({ changeId, kind: "implement", title: "t", instructions: "" })).id;
  const opened = await admin.workspace.open({ taskId });
  if (opened.status !== "open") throw new Error("the workspace was refused");
  runId = opened.runId;
  api.sandboxes.push(fakeSandbox(projectId));
});

it("a Project names its Sandbox, its head and the address that people clone from", async () => {
  expect(await reviewer.project.get({ id: projectId.toUpperCase() })).toMatchObject({
    sandboxId: `proj-${projectId}`,
    headCommit: "a".repeat(40),
    cloneUrl: `http://dashboard.test/git/${projectId}.git`,
    state: "ready",
  });
});

it("archiving a Project ends its Runs before it answers, and again gives the same", async () => {
  const archived = await admin.project.archive({ id: projectId });
  expect(archived.state).toBe("archived");
  expect((await admin.run.get({ runId })).state).toBe("closed");
  expect(await admin.project.archive({ id: projectId })).toEqual(archived);
});

it("only people say how many workspaces of a Change may be open, and no more than the setting counts", async () => {
  const caller = { role: "agent" as const, actor: actorOf(actorId), projectId, changeId: null };
  const agent = createCaller({ deps: api.deps, caller, signedIn: null, browser: null });
  await expect(agent.change.create({ projectId, title: "c", maxActiveSandboxes: 1 })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const { items } = await reviewer.change.list({});
  expect(items.map(({ slots }) => slots.max)).toEqual([2]);
  expect((await agent.change.create({ projectId, title: "d" })).slots).toEqual({ max: 4, open: 0 });
});

it("a Change shows its slots with who holds them, and all that is in it", async () => {
  const task = await api.projects.getTask(taskId, everywhere);
  api.changeSets.push(fakeChangeSet(api.deps.ids.uuid(), task));
  await admin.intent.declare({ taskId, title: "i", body: "b" });
  expect(await reviewer.change.get({ id: changeId })).toMatchObject({
    slots: { open: 1, workspaces: [{ runId, taskId, state: "open" }] },
    tasks: [{ id: taskId }],
    runs: [{ id: runId, forkName: `ws-${runId}` }],
    changeSets: [{ version: 1, state: "proposed" }],
    intents: [{ title: "i" }],
    chargedSeconds: 0,
    isSettled: true,
  });
});

it("a reviewer stops a Run and is told what was kept", async () => {
  expect(await reviewer.run.stop({ runId, reason: "enough" })).toMatchObject({
    id: runId,
    state: "failed",
    kept: "what its tools wrote",
  });
});

it("a Sandbox shows its limits, its use, the Runs inside and when it would be removed", async () => {
  const { name: projectName } = await api.projects.getProject(projectId, everywhere);
  const shown = { id: `proj-${projectId}`, projectId, projectName, limits: { cpus: 2 }, runs: [{ runId }] };
  const list = await reviewer.sandbox.list();
  expect(list).toMatchObject({ liveMax: 4, warmCount: 1, items: [shown], nextCursor: null });
  expect(list.items[0]?.idleDeadlineAt).toBe(new Date(Date.parse(list.asOf) + 60_000).toISOString());
  expect(await reviewer.sandbox.get({ id: `proj-${projectId}` })).toMatchObject(shown);
  await expect(reviewer.sandbox.get({ id: `proj-${actorId}` })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("only an admin stops a Sandbox, and its end is told", async () => {
  const id = `proj-${projectId}`;
  await expect(reviewer.sandbox.stop({ id })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await admin.sandbox.stop({ id })).toMatchObject({ state: "gone", endReason: "removed" });
});

it("ChangeSets of one Project are shown side by side, and those of two are not compared", async () => {
  const task = await api.projects.getTask(taskId, everywhere);
  const foreign = { ...task, projectId: actorId };
  const ids = [task, task, foreign].map((of) => {
    const changeSet = fakeChangeSet(api.deps.ids.uuid(), of);
    api.changeSets.push(changeSet);
    return changeSet.id;
  });
  const [one = "", two = "", other = ""] = ids;
  const { changeSets, files, ...rest } = await reviewer.changeSet.compare({ ids: [two, one] });
  expect(changeSets.map(({ id }) => id)).toEqual([two, one]);
  expect(changeSets).toMatchObject([{ filesOnlyThere: 0, unresolvedThreads: 0, chargedSeconds: 0 }, {}]);
  expect(rest).toEqual({ filesTotal: 1, nextCursor: null });
  expect(files).toMatchObject([{ path: "src/limit.ts", sides: [{ insertions: 1 }, { insertions: 1 }] }]);
  await expect(reviewer.changeSet.compare({ ids: [one, other] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(reviewer.changeSet.compare({ ids: [one, one] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(reviewer.changeSet.files({ id: one, against: other })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const against = await reviewer.changeSet.files({ id: one, against: two });
  expect(against).toMatchObject({ baseCommit: "c".repeat(40), headCommit: "c".repeat(40) });
});

it("a list goes page by page, and its last page says that nothing follows", async () => {
  await admin.project.create({ name: "q" });
  const first = await reviewer.project.list({ limit: 1 });
  expect(first.nextCursor).toBe(projectId);
  const second = await reviewer.project.list({ limit: 1, cursor: projectId });
  expect(second).toMatchObject({ items: [{ name: "q" }], nextCursor: null });
});

it("the events of a Run go page by page and live, each with its number", async () => {
  await admin.workspace.close({ runId });
  const first = await reviewer.run.events({ runId, limit: 1 });
  expect(first).toMatchObject({ items: [{ seq: 1, kind: "opened" }], nextCursor: 1 });
  expect(await reviewer.run.events({ runId, after: 1 })).toMatchObject({
    items: [{ kind: "ended" }],
    nextCursor: null,
  });
  const seen: unknown[] = [];
  for await (const item of await reviewer.run.stream({ runId, lastEventId: "1" }))
    seen.push(Object.values(item).slice(0, 2));
  expect(seen).toMatchObject([["2", { seq: 2, kind: "ended" }]]);
});

it("events are asked for within what the caller's token is bound to", async () => {
  const asked: unknown[] = [];
  api.deps.events.list = (query) => {
    asked.push({ projectId: query.projectId, changeId: query.changeId });
    return Promise.resolve([]);
  };
  const bound = { role: "agent" as const, actor: actorOf(actorId), projectId };
  const asToken = { deps: api.deps, signedIn: null, browser: null };
  await createCaller({ ...asToken, caller: { ...bound, changeId } }).event.list();
  await createCaller({ ...asToken, caller: { ...bound, changeId: null } }).event.list();
  await reviewer.event.list();
  expect(asked).toEqual([
    { projectId, changeId },
    { projectId, changeId: null },
    { projectId: null, changeId: null },
  ]);
});

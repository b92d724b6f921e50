import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { actorOf } from "../testing/actor-of";
import { createFakeApi, fakeChangeSet, fakeSandbox, type FakeApi } from "../testing/fake-api";
import { apiPath, handleApiRequest } from "./http-handler";
import { appRouter } from "./root";
import type { Policy } from "./trpc";

interface ProcedureDef {
  _def: { meta?: { policy: Policy }; type: "query" | "mutation" | "subscription"; inputs: [z.ZodType?] };
}

interface InputSchema {
  properties?: Record<string, { type?: string; enum?: string[]; anyOf?: unknown[]; minimum?: number }>;
  required?: string[];
}

const absent = "99999999-9999-4999-8999-999999999999";

/** What an id of each name names; `id` depends on the router. */
const kinds: Record<string, keyof World> = {
  projectId: "project",
  changeId: "change",
  changeSetId: "changeSet",
  taskId: "task",
  runId: "run",
  revisesChangeSetId: "changeSet",
  against: "changeSet",
  refusalId: "refusal",
};
const kindsOfId: Record<string, keyof World> = {
  project: "project",
  change: "change",
  task: "task",
  changeSet: "changeSet",
};

/** One of each thing in a Project. */
interface World {
  project: string;
  change: string;
  task: string;
  run: string;
  changeSet: string;
  refusal: string;
}

interface AgentWorld {
  token: string;
  world: World;
}

let api: FakeApi;
let own: AgentWorld;
let foreign: AgentWorld;

beforeEach(async () => {
  api = createFakeApi();
  own = await createWorld("own");
  foreign = await createWorld("foreign");
});

/** A Project with an agent's token and one of everything. */
async function createWorld(name: string): Promise<AgentWorld> {
  const { access, projects, workspaces, changeSets, refusals, sandboxes } = api;
  const scope = { projectId: null, changeId: null };
  const actorId = absent;
  const project = await projects.createProject({ name, defaultBranch: "main", importUrl: null, actorId });
  const change = await projects.createChange(
    { projectId: project.id, title: "c", description: "", maxActiveSandboxes: null, actorId },
    scope,
  );
  const task = await projects.createTask(
    { changeId: change.id, kind: "implement", title: "t", instructions: "", actorId },
    scope,
  );
  const { id, token } = await access.createToken(
    {
      role: "agent",
      label: name,
      projectId: project.id,
      changeId: null,
      expiresAt: null,
    },
    null,
  );
  const opened = await workspaces.open(
    { role: "agent", actor: actorOf(id), projectId: project.id, changeId: null },
    { taskId: task.id },
  );
  if (opened.status !== "open") throw new Error("the workspace was refused");
  const changeSet = fakeChangeSet(api.deps.ids.uuid(), task);
  const refusal = api.deps.ids.uuid();
  changeSets.push(changeSet);
  refusals.set(refusal, task.id);
  sandboxes.push(fakeSandbox(project.id));
  const world = {
    project: project.id,
    change: change.id,
    task: task.id,
    run: opened.runId,
    changeSet: changeSet.id,
  };
  return { token, world: { ...world, refusal } };
}

async function call(path: string, type: string, input: unknown, token: string) {
  const text = JSON.stringify(input);
  const query = type === "mutation" ? "" : `?input=${encodeURIComponent(text)}`;
  const response = await handleApiRequest(
    new Request(`http://dashboard.test${apiPath}/${path}${query}`, {
      method: type === "mutation" ? "POST" : "GET",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(type === "mutation" ? { body: text } : {}),
    }),
    api.deps,
  );
  return { status: response.status, text: await response.text() };
}

/** Every id that every procedure takes, of those that agents may call at all. */
const cases = Object.entries(appRouter._def.procedures as unknown as Record<string, ProcedureDef>).flatMap(
  ([path, { _def }]) => {
    const [schema] = _def.inputs;
    if (schema === undefined || !["all", "workspace"].includes(_def.meta?.policy ?? "")) return [];
    const input = z.toJSONSchema(schema, { io: "input" }) as InputSchema;
    const [router = ""] = path.split(".");
    return Object.keys(input.properties ?? {}).flatMap((name) => {
      const kind = name === "id" ? kindsOfId[router] : kinds[name];
      return kind === undefined ? [] : [{ path, name, kind, type: _def.type, input, router }];
    });
  },
);

function inputFor(test: (typeof cases)[number], world: World, id: string): Record<string, unknown> {
  const { properties = {}, required = [] } = test.input;
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, property]) => {
      const kind = name === "id" ? kindsOfId[test.router] : kinds[name];
      return [name, kind === undefined ? valueOf(name, property) : world[kind]] as const;
    });
  return { ...Object.fromEntries(fields), [test.name]: id };
}

function valueOf(name: string, property: { type?: string; enum?: string[] }): unknown {
  if (name === "commandId") return absent;
  if (property.type === "array") return ["x"];
  return property.enum?.[0] ?? (property.type === "integer" ? 1 : "x");
}

describe("an agent that names a thing of another Project gets the answer for one that does not exist", () => {
  it.each(cases)("$path { $name }", async (test) => {
    const { path, type, kind } = test;
    const ofForeign = await call(path, type, inputFor(test, own.world, foreign.world[kind]), own.token);
    const ofAbsent = await call(path, type, inputFor(test, own.world, absent), own.token);
    expect(ofForeign).toEqual(ofAbsent);
    // The threads of a ChangeSet are no list to filter: without the ChangeSet there is nothing to list.
    if (path.endsWith(".list") && path !== "comment.list") {
      expect(ofForeign).toEqual({ status: 200, text: '{"result":{"data":{"items":[],"nextCursor":null}}}' });
    } else {
      expect(ofForeign.text).toMatch(/"domainCode":"([a-z]+\.not_found|conflict\.stale)"/);
    }
  });

  it.each(cases)("$path { $name } answers for its own: the case above proves something", async (test) => {
    const { path, type, kind, name } = test;
    const { status } = await call(path, type, inputFor(test, own.world, own.world[kind]), own.token);
    // Revising is refused by the fake whatever it is asked for; the rule has its cases on a real database.
    expect(status).toBe(name === "revisesChangeSetId" ? 409 : (ownStatus[path] ?? 200));
  });

  /** Calls of the generated input that fail for a reason of their own, after the thing was found. */
  const ownStatus: Record<string, number> = { "workspace.readFile": 404, "workspace.editFile": 404 };

  it("a cursor of another Project ends a list as one that does not exist", async () => {
    for (const [path, kind] of [
      ["change.list", "change"],
      ["changeSet.list", "changeSet"],
      ["run.list", "run"],
    ] as const) {
      const ofForeign = await call(path, "query", { cursor: foreign.world[kind] }, own.token);
      expect(ofForeign).toEqual(await call(path, "query", { cursor: absent }, own.token));
    }
  });
});

it("a Run of another token of the same Project is not found", async () => {
  const { token } = await api.access.createToken(
    {
      role: "agent",
      label: "sibling",
      projectId: own.world.project,
      changeId: null,
      expiresAt: null,
    },
    null,
  );
  const ofSibling = await call(
    "workspace.readFile",
    "mutation",
    { runId: own.world.run, path: "README.md" },
    token,
  );
  expect(ofSibling).toEqual(
    await call("workspace.readFile", "mutation", { runId: absent, path: "README.md" }, token),
  );
});

it("an agent that is bound to one Change sees no other", async () => {
  const { token } = await api.access.createToken(
    {
      role: "agent",
      label: "bound",
      projectId: own.world.project,
      changeId: absent,
      expiresAt: null,
    },
    null,
  );
  expect((await call("change.get", "query", { id: own.world.change }, token)).status).toBe(404);
  expect((await call("task.get", "query", { id: own.world.task }, token)).status).toBe(404);
  expect((await call("changeSet.get", "query", { id: own.world.changeSet }, token)).status).toBe(404);
});

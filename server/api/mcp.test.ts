import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../workspaces/schema";
import { createFakeApi, type FakeApi } from "../testing/fake-api";
import { exited } from "../testing/fake-workspaces";
import { serveFetch, type FetchServer } from "../testing/fetch-server";
import { handleMcpRequest } from "./mcp";

const absent = "99999999-9999-4999-8999-999999999999";

let api: FakeApi;
let http: FetchServer;
let address: URL;
let clients: Client[];
let taskId: string;
let agentToken: string;

beforeEach(async () => {
  api = createFakeApi();
  clients = [];
  http = await serveFetch((request) => handleMcpRequest(request, api.deps));
  address = new URL(`${http.baseUrl}/mcp`);

  const scope = { projectId: null, changeId: null };
  const project = await api.projects.createProject({
    name: "p",
    defaultBranch: "main",
    importUrl: null,
    actorId: absent,
  });
  const change = await api.projects.createChange(
    { projectId: project.id, title: "c", description: "", maxActiveSandboxes: null, actorId: absent },
    scope,
  );
  const task = {
    changeId: change.id,
    kind: "implement" as const,
    title: "t",
    instructions: "",
    actorId: absent,
  };
  taskId = (await api.projects.createTask(task, scope)).id;
  const token = {
    role: "agent" as const,
    label: "a",
    projectId: project.id,
    changeId: null,
    expiresAt: null,
  };
  agentToken = (await api.access.createToken(token, null)).token;
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await http.close();
});

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  // The client checks results against the schemas that it was told, from here on.
  await client.listTools();
  return client;
}

async function open(client: Client): Promise<string> {
  const { structuredContent } = await client.callTool({ name: "open_workspace", arguments: { taskId } });
  return (structuredContent as { runId: string }).runId;
}

describe("the official client", () => {
  it("is told how the Run of a Task goes, by the names of tools that there are", async () => {
    const client = await connect(agentToken);
    const instructions = client.getInstructions() ?? "";
    const { tools } = await client.listTools();
    const named = [...new Set(instructions.match(/[a-z]+_[a-z]+/g))].filter(
      (word) => !word.startsWith("wake_"),
    );
    expect(tools.map(({ name }) => name).sort()).toEqual(named.filter((word) => word !== "timed_out").sort());
    for (const word of ["refused", "rejected", "restored", "run.busy"]) expect(instructions).toContain(word);
  });

  it("finds exactly the tools of the contract, each with the schemas of its input and its result", async () => {
    const { tools } = await (await connect(agentToken)).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "complete_task",
      "declare_intent",
      "delete_file",
      "edit_file",
      "fail_task",
      "list_files",
      "open_workspace",
      "read_file",
      "run_command",
      "wait_command",
      "write_file",
    ]);
    const runCommand = tools.find(({ name }) => name === "run_command");
    expect(runCommand?.inputSchema.required).toEqual(["runId", "command"]);
    expect(runCommand?.outputSchema?.["oneOf"]).toHaveLength(5);
  });

  it("works through a Task with results that fit the schemas, as structured content and as the same text", async () => {
    const client = await connect(agentToken);
    const runId = await open(client);
    const calls = [
      ["list_files", { runId }],
      ["read_file", { runId, path: "README.md" }],
      ["write_file", { runId, path: "a.ts", content: "1" }],
      ["edit_file", { runId, path: "a.ts", oldText: "1", newText: "2" }],
      ["delete_file", { runId, path: "a.ts" }],
      ["run_command", { runId, command: "bun test" }],
      ["wait_command", { runId, commandId: absent }],
      ["complete_task", { runId, title: "Adds", summary: "" }],
    ] as const;
    for (const [name, input] of calls) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError, name).toBeUndefined();
      const [text] = result.content as { type: string; text: string }[];
      expect(JSON.parse(text?.text ?? ""), name).toEqual(result.structuredContent);
    }
  });

  it("gets a refusal as a result, and may answer it with an Intent", async () => {
    const client = await connect(agentToken);
    api.refusals.set(absent, taskId);
    const refusal = { status: "refused", refusalId: absent, reason: "change_slots_full" } as const;
    api.workspaces.refuseNext({ ...refusal, message: "All slots are taken.", limit: 4, used: 4 });
    const refused = await client.callTool({ name: "open_workspace", arguments: { taskId } });
    expect(refused).toMatchObject({ structuredContent: { status: "refused", limit: 4 } });
    expect(refused.isError).toBeUndefined();
    const intent = { taskId, title: "Limit", body: "because", refusalId: absent };
    const declared = await client.callTool({ name: "declare_intent", arguments: intent });
    expect(declared).toMatchObject({ structuredContent: { refusalId: absent } });
  });

  it.each([
    ["read_file", { runId: absent, path: "x" }, "run.not_found"],
    ["open_workspace", { taskId: absent }, "task.not_found"],
    ["open_workspace", { taskId: 7 }, "input.invalid"],
    ["open_workspace", { taskId: absent, image: "evil" }, "input.invalid"],
    ["declare_intent", { taskId: absent, title: "t", body: "b" }, "task.not_found"],
  ])("gets an error of %s %j as an error with its code", async (name, input, domainCode) => {
    const client = await connect(agentToken);
    const result = await client.callTool({ name, arguments: input });
    expect(result.isError).toBe(true);
    const [text] = result.content as { text: string }[];
    expect(JSON.parse(text?.text ?? "")).toMatchObject({ domainCode });
  });

  it("is told what broke here by a correlation id only", async () => {
    const client = await connect(agentToken);
    const runId = await open(client);
    api.workspaces.answerCommand(() => Promise.reject(new Error("connect /var/run/secret.sock")));
    const result = await client.callTool({ name: "run_command", arguments: { runId, command: "bun test" } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).toContain("internal");
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("hears of the progress of a long command when it asked for it", async () => {
    const client = await connect(agentToken);
    const runId = await open(client);
    let finish: (result: CommandResult) => void = () => {};
    const started = new Promise<void>((resolve) => {
      api.workspaces.answerCommand(() => {
        resolve();
        return new Promise((end) => {
          finish = end;
        });
      });
    });
    let heard: (progress: number) => void = () => {};
    const firstProgress = new Promise<number>((resolve) => {
      heard = resolve;
    });
    const result = client.callTool(
      { name: "run_command", arguments: { runId, command: "bun test" } },
      undefined,
      {
        onprogress: ({ progress }) => heard(progress),
      },
    );
    await started;
    await api.clock.advance(5_000);
    expect(await firstProgress).toBe(5);
    finish(exited(absent, ["bun", "test"], 1, "1 fail\n"));
    expect(await result).toMatchObject({ structuredContent: { status: "exited", exitCode: 1 } });
  });

  it("cannot call what does not exist", async () => {
    const client = await connect(agentToken);
    await expect(client.callTool({ name: "merge", arguments: {} })).rejects.toThrow("There is no tool merge");
  });
});

describe("who may call", () => {
  it("nobody without a token that is valid now", async () => {
    await expect(connect(`rhb_${"x".repeat(43)}`)).rejects.toThrow();
    const answer = await fetch(address, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("a reviewer is told that workspaces are not for reviewers", async () => {
    const token = { role: "reviewer" as const, label: "r", projectId: null, changeId: null, expiresAt: null };
    const client = await connect((await api.access.createToken(token, null)).token);
    const result = await client.callTool({ name: "open_workspace", arguments: { taskId } });
    expect(JSON.stringify(result)).toContain("auth.forbidden");
  });

  it("a token that was revoked after the client connected does nothing any more", async () => {
    const client = await connect(agentToken);
    const tokens = await api.access.listTokens({ hasEnded: null, after: null, limit: 10 });
    for (const { id } of tokens) await api.access.revokeToken(id, null);
    await expect(client.callTool({ name: "open_workspace", arguments: { taskId } })).rejects.toThrow();
    expect(api.workspaces.runs).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { makeProject } from "./proposals";
import { expect, test as base, type Api } from "./session";

interface Job {
  taskId: string;
  changeId: string;
  /** The agent over HTTP, for what no tool reads. */
  agent: Api;
  connect(): Promise<Client>;
}

/** Takes longer than the waits below, and leaves one letter for each time that it ran. */
const slowTest = `
import { appendFileSync } from "node:fs";
import { expect, test } from "bun:test";
import { answer } from "./answer";
test("the answer", async () => {
  appendFileSync("ran.log", "x");
  await Bun.sleep(4_000);
  expect(answer).toBe(42);
}, 30_000);
`;

const test = base.extend<{ job: Job }>({
  job: async ({ api, baseURL }, use) => {
    const projectId = await makeProject(api, "Over MCP", [
      { path: "answer.ts", content: "export const answer = 41;\n" },
      { path: "answer.test.ts", content: slowTest },
    ]);
    const { id: changeId } = await api.mutate<{ id: string }>("change.create", {
      projectId,
      title: "Answers",
    });
    const task = { changeId, kind: "implement", title: "Correct the answer", instructions: "It is 42." };
    const { id: taskId } = await api.mutate<{ id: string }>("task.create", task);
    const minted = { role: "agent", projectId, label: "over MCP" };
    const { token } = await api.mutate<{ token: string }>("token.create", minted);
    const clients: Client[] = [];
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: "journey", version: "1" });
      clients.push(client);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseURL), { requestInit }));
      // From here on the client checks every result against the schema that it was told.
      await client.listTools();
      return client;
    };
    await use({ taskId, changeId, agent: api.as(token), connect });
    await Promise.all(clients.map((client) => client.close()));
  },
});

test("an MCP client takes a Task to a ChangeSet, with a command that outlasts every wait", async ({
  job,
}) => {
  const client = await job.connect();
  const { runId } = await call(client, "open_workspace", {
    taskId: job.taskId,
    idempotencyKey: randomUUID(),
  });
  const listed = await call(client, "list_files", { runId });
  expect((listed.items as { path: string }[]).map(({ path }) => path)).toContain("answer.ts");
  const read = await call(client, "read_file", { runId, path: "answer.ts" });
  expect(read.content).toBe("export const answer = 41;\n");

  expect(await runToEnd(client, runId, "bun test")).toMatchObject({ status: "exited", exitCode: 1 });
  const edit = { runId, path: "answer.ts", oldText: "41", newText: "42", expectedSha256: read.sha256 };
  expect(await call(client, "edit_file", edit)).toMatchObject({ replacements: 1 });
  await call(client, "write_file", { runId, path: "notes/why.md", content: "It was one too low.\n" });
  expect(await runToEnd(client, runId, "bun test")).toMatchObject({ status: "exited", exitCode: 0 });
  await call(client, "delete_file", { runId, path: "ran.log" });
  const rejected = await call(client, "run_command", { runId, command: "git push" });
  expect(rejected).toMatchObject({
    status: "rejected",
    allowed: expect.arrayContaining(["bun test"]),
  });

  const words = { runId, title: "The answer is 42", summary: "It was 41.", idempotencyKey: randomUUID() };
  const proposed = await call(client, "complete_task", words);
  expect(proposed).toMatchObject({ status: "proposed", filesChanged: 2, insertions: 2, deletions: 1 });
  expect(await call(client, "complete_task", words)).toEqual(proposed);
  const patch = { id: proposed.changeSetId, path: "answer.ts" };
  expect((await job.agent.query<{ patch: string }>("changeSet.patch", patch)).patch).toContain(
    "@@ -1 +1 @@\n-export const answer = 41;\n+export const answer = 42;\n",
  );
  const late = await client.callTool({ name: "read_file", arguments: { runId, path: "answer.ts" } });
  expect(late.isError).toBe(true);
  expect(JSON.stringify(late.content)).toContain("run.ended");
});

test("a connection that breaks and the same call again run a command once", async ({ job }) => {
  const [broken, client] = [await job.connect(), await job.connect()];
  const opened = { taskId: job.taskId, idempotencyKey: randomUUID() };
  const { runId } = await call(broken, "open_workspace", opened);
  expect(await call(client, "open_workspace", opened)).toMatchObject({ runId });

  const command = { runId, command: "bun test", idempotencyKey: randomUUID() };
  const lost = call(broken, "run_command", command).catch(() => "lost");
  const ran = { name: "read_file", arguments: { runId, path: "ran.log" } };
  await expect.poll(async () => (await client.callTool(ran)).isError === true).toBe(false);
  await broken.close();
  expect(await lost).toBe("lost");

  const again = await call(client, "run_command", { ...command, waitMs: 0 });
  expect(again).toMatchObject({ status: "running" });
  const end = await waitToEnd(client, runId, again);
  expect(end).toMatchObject({ status: "exited", commandId: again.commandId });
  expect((await call(client, "read_file", { runId, path: "ran.log" })).content).toBe("x");
  expect(await call(client, "run_command", command)).toEqual(end);
  const other = await client.callTool({ name: "run_command", arguments: { ...command, command: "ls" } });
  expect(JSON.stringify(other.content)).toContain("conflict.idempotency");
  await call(client, "fail_task", { runId, reason: "Only the command counted." });
});

test("a refused open is answered by an Intent that stands beside the refusal", async ({ job, api }) => {
  const client = await job.connect();
  const design = {
    changeId: job.changeId,
    kind: "design",
    title: "Think first",
    instructions: "Write it down.",
  };
  const { id: taskId } = await api.mutate<{ id: string }>("task.create", design);
  const refused = await call(client, "open_workspace", { taskId });
  expect(refused).toMatchObject({ status: "refused", reason: "task_kind", limit: null, used: null });
  const words = { taskId, title: "Count in a table", body: "So that nobody counts twice." };
  const { id } = await call(client, "declare_intent", { ...words, refusalId: refused.refusalId });
  const intents = await job.agent.query<{ items: unknown[] }>("intent.list", { taskId });
  expect(intents.items).toMatchObject([{ id, refusalId: refused.refusalId }]);
});

type Result = Record<string, unknown>;

/** What the tool answered; an error fails the test. */
async function call(client: Client, name: string, input: Result): Promise<Result> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
  expect(isError, JSON.stringify(content)).toBeUndefined();
  return structuredContent as Result;
}

async function runToEnd(client: Client, runId: unknown, command: string): Promise<Result> {
  const begun = await call(client, "run_command", {
    runId,
    command,
    waitMs: 200,
    idempotencyKey: randomUUID(),
  });
  expect(begun).toMatchObject({ status: "running" });
  return waitToEnd(client, runId, begun);
}

async function waitToEnd(client: Client, runId: unknown, begun: Result): Promise<Result> {
  let result = begun;
  while (result.status === "running") {
    result = await call(client, "wait_command", { runId, commandId: begun.commandId, waitMs: 1_000 });
  }
  return result;
}

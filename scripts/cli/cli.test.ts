import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handleApiRequest } from "../../server/api/http-handler";
import { createFakeApi, fakeChangeSet, type FakeApi } from "../../server/testing/fake-api";
import { serveFetch, type FetchServer } from "../../server/testing/fetch-server";
import { formatUsage, parseLine, type Command, type Outcome } from "./command-line";
import { createClient, type Connection } from "./connection";
import { explainError } from "./explain-error";
import { readEvents } from "./follow-stream";
import { projectCommands, taskCommands } from "./project-commands";
import { formatTable, toPrintable } from "./print";
import { reviewCommands, runCommands } from "./review-commands";
import { endCommands, workspaceCommands } from "./workspace-commands";

const commands: readonly Command[] = [
  ...projectCommands,
  ...taskCommands,
  ...workspaceCommands,
  ...endCommands,
  ...runCommands,
  ...reviewCommands,
];

let api: FakeApi;
let http: FetchServer;
let connection: Connection;

beforeEach(async () => {
  api = createFakeApi();
  http = await serveFetch((request) => handleApiRequest(request, api.deps));
  const admin = { role: "admin" as const, label: "a", projectId: null, changeId: null, expiresAt: null };
  const { token } = await api.access.createToken(admin, null);
  connection = { baseUrl: http.baseUrl, token, client: createClient(http.baseUrl, token) };
});

afterEach(() => http.close());

/** Runs a command line and gives what `--json` would print, and every line that it printed at once. */
async function cli(...line: string[]): Promise<Outcome & { printed: string[] }> {
  const parsed = parseLine(commands, line);
  if (parsed === null) throw new Error(`there is no command ${line.join(" ")}`);
  const printed: string[] = [];
  const outcome = await parsed.command.run({
    connection,
    word: (name) => parsed.words.get(name) ?? "",
    option: (name) => (typeof parsed.options[name] === "string" ? parsed.options[name] : undefined),
    hasFlag: (name) => parsed.options[name] === true,
    print: (_value, text) => printed.push(text),
  });
  return { ...outcome, printed };
}

const idOf = ({ value }: Outcome): string => (value as { id: string }).id;

async function openRun(): Promise<string> {
  const project = idOf(await cli("projects", "create", "p"));
  const change = idOf(await cli("changes", "create", project, "c", "--slots", "2"));
  const task = idOf(await cli("tasks", "create", change, "implement", "t", "--instructions", "do it"));
  const { value } = await cli("open", task);
  return (value as { runId: string }).runId;
}

describe("a Run by hand", () => {
  it("goes from a Project to a ChangeSet", async () => {
    const run = await openRun();
    expect((await cli("ls", run)).text).toContain("README.md");
    expect((await cli("edit", run, "README.md", "--old", "Sample", "--new", "Example")).text).toContain(
      "replacements",
    );
    expect((await cli("read", run, "README.md")).text).toContain("Example");
    expect(await cli("run", run, "bun", "test")).toMatchObject({ exitCode: 0 });
    expect((await cli("complete", run, "Renames", "--summary", "s")).text).toContain("proposed");
    expect((await cli("log", run)).text).toContain("opened");
    expect((await cli("runs")).text).toContain(run);
  });

  it("shows its log live and ends with the Run", async () => {
    const run = await openRun();
    await cli("close", run);
    expect((await cli("log", run, "--follow")).printed).toHaveLength(2);
  });

  it("asks again for a command that still runs, and exits as the command did", async () => {
    const run = await openRun();
    const none = { text: "", totalBytes: 0, truncated: false };
    const commandId = "99999999-9999-4999-8999-999999999999";
    api.workspaces.answerCommand(() =>
      Promise.resolve({ status: "running", commandId, argv: ["bun", "test"], stdout: none, stderr: none }),
    );
    expect(await cli("run", run, "bun", "test")).toMatchObject({ value: { status: "exited", commandId } });
  });

  it("says what is accepted when a command is rejected, and exits with 1", async () => {
    const run = await openRun();
    api.workspaces.answerCommand(() =>
      Promise.resolve({ status: "rejected", reason: "shell", message: "No shell.", allowed: ["bun test"] }),
    );
    const { text, exitCode } = await cli("run", run, "ls;", "id");
    expect(text).toBe("No shell.\nAccepted:\n  bun test");
    expect(exitCode).toBe(1);
  });
});

it("a ChangeSet's patch is shown file by file", async () => {
  const task = { id: "1", changeId: "2", projectId: "3" };
  const id = "00000000-0000-4000-8000-00000000cafe";
  api.changeSets.push({ ...fakeChangeSet(id, task), taskId: id, changeId: id, projectId: id });
  expect((await cli("changesets", "files", id)).text).toContain("src/limit.ts");
  expect((await cli("changesets", "patch", id)).text).toContain("src/limit.ts bbb");
});

it("a ChangeSet is reviewed and merged as it stands", async () => {
  await openRun();
  const [task] = api.projects.tasks;
  if (task === undefined) throw new Error("no Task was made");
  const id = "00000000-0000-4000-8000-00000000beef";
  api.changeSets.push(fakeChangeSet(id, task));
  expect((await cli("changesets", "review", id, "approve", "Good.")).text).toContain("approved");
  expect((await cli("changesets", "merge", id)).text).toContain("merged");
  expect((await cli("changesets", "comments", id)).text).toBe("");
  await expect(cli("changesets", "review", id, "maybe")).rejects.toThrow("VERDICT is one of approve");
});

describe("faults are one sentence", () => {
  it.each([
    [
      ["projects", "get", "99999999-9999-4999-8999-999999999999"],
      /^There is no such project\. \(project\.not_found\)$/,
    ],
    [["projects", "get", "x"], /^id: .*\(input\.invalid\)$/],
    [["projects", "get"], /^Use: projects get PROJECT$/],
    [["projects", "get", "a", "b"], /^Use: projects get PROJECT$/],
    [["tasks", "create", "x", "cook", "t"], /^KIND is one of design/],
    [["log", "x", "--loud"], /^Unknown option '--loud'\. Use: log RUN \[--follow\]$/],
    [["log", "99999999-9999-4999-8999-999999999999", "--follow"], /\(run\.not_found\)$/],
  ])("%j", async (line, sentence) => {
    const fault = await cli(...line).catch((error: unknown) => explainError(error, connection.baseUrl));
    expect(fault).toMatch(sentence);
  });

  it("a server that is not there is named, with what starts it", async () => {
    await http.close();
    const fault = await cli("projects").catch((error: unknown) => explainError(error, connection.baseUrl));
    expect(fault).toBe(
      `Nothing answers at ${connection.baseUrl} (ECONNREFUSED): \`npm run stack:up\` starts it.`,
    );
  });
});

describe("a command line", () => {
  it("leaves what follows the Run as it stands, options of the command too", () => {
    const line = ["run", "--timeout", "5", "the-run", "git", "log", "--oneline", "-n", "3"];
    const parsed = parseLine(commands, line);
    expect(parsed?.words.get("COMMAND")).toBe("git log --oneline -n 3");
    expect(parsed?.words.get("RUN")).toBe("the-run");
    expect(parsed?.options).toMatchObject({ timeout: "5" });
  });

  it("takes --json and --help anywhere before --", () => {
    expect(parseLine(commands, ["projects", "--json"])).toMatchObject({ isJson: true });
    expect(parseLine(commands, ["tokens", "create", "--help"])).toMatchObject({ isHelp: true });
    expect(parseLine(commands, ["run", "r", "--", "bun", "test", "--json"])?.isJson).toBe(false);
  });

  it("has a usage for every command, and no name twice", () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const command of commands) expect(formatUsage(command)).toContain(command.name);
  });
});

describe("what is printed", () => {
  it("never steers the terminal", () => {
    expect(toPrintable("a\u001b[2Jb\u202ec\r\nd\te")).toBe("a\\u001b[2Jb\\u202ec\nd\te");
    expect(formatTable(["A"], [["x\u0007\ny"]])).toBe("A\nx\\u0007 y");
  });
});

it("events of a stream are read whole however their bytes are cut", async () => {
  const text =
    'event: connected\ndata: {}\n\nid: 1\ndata: {"a":"é"}\n\n: ping\n\nid: 2\ndata: x\ndata: y\n\n';
  const bytes = new TextEncoder().encode(text);
  async function* cut(): AsyncGenerator<Uint8Array, void> {
    for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
  }
  const events = [];
  for await (const event of readEvents(cut())) events.push([event.name, event.id, event.data]);
  expect(events).toEqual([
    ["connected", null, "{}"],
    ["message", "1", '{"a":"é"}'],
    ["message", null, ""],
    ["message", "2", "x\ny"],
  ]);
});

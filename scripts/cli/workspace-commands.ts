import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import type { CommandResult } from "../../server/workspaces/schema";
import { OperatorError } from "../stack/operator-error";
import type { Command, Given, Outcome } from "./command-line";
import { formatRecord, formatTable, toPrintable } from "./print";

/** How long one question to the server waits for a command; the next follows at once. */
const waitMs = 30_000;

/** The tools of an agent, by hand. */
export const workspaceCommands: readonly Command[] = [
  {
    name: "open",
    summary: "Open a workspace for a Task; refused: exit code 1",
    takes: ["TASK"],
    options: { revises: "the ChangeSet that it revises" },
    run: async ({ connection: { client }, word, option }) => {
      const revisesChangeSetId = option("revises");
      const value = await client.workspace.open.mutate({
        taskId: word("TASK"),
        ...(revisesChangeSetId === undefined ? {} : { revisesChangeSetId }),
      });
      return { value, text: formatRecord(value), exitCode: value.status === "open" ? 0 : 1 };
    },
  },
  {
    name: "workspace",
    summary: "Show a workspace: state, seconds, when it goes to sleep",
    takes: ["RUN"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.workspace.get.query({ runId: word("RUN") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "ls",
    summary: "List files of the workspace",
    takes: ["RUN", "[PATH]"],
    options: { depth: "how many levels deep (1)", all: "ignored files too" },
    flags: ["all"],
    run: async ({ connection: { client }, word, option, hasFlag }) => {
      const value = await client.workspace.listFiles.mutate({
        runId: word("RUN"),
        path: word("PATH") || ".",
        depth: Number(option("depth") ?? 1),
        includeIgnored: hasFlag("all"),
        limit: 1_000,
      });
      const rows = value.items.map(({ mode, type, sizeBytes, path }) => [mode, type, sizeBytes, path]);
      return { value, text: formatTable(["MODE", "TYPE", "BYTES", "PATH"], rows) };
    },
  },
  {
    name: "read",
    summary: "Read a file",
    takes: ["RUN", "PATH"],
    options: { from: "first line", to: "last line" },
    run: async ({ connection: { client }, word, option }) => {
      const [startLine, endLine] = [option("from"), option("to")];
      const value = await client.workspace.readFile.mutate({
        runId: word("RUN"),
        path: word("PATH"),
        ...(startLine === undefined ? {} : { startLine: Number(startLine) }),
        ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
      });
      const isText = value.encoding === "utf8";
      const text = isText
        ? value.content
        : `${value.sizeBytes} bytes that are no text; --json gives them as base64`;
      return { value, text: toPrintable(text) };
    },
  },
  {
    name: "write",
    summary: "Replace a file with what is read from standard input, or from --file",
    takes: ["RUN", "PATH"],
    options: { file: "the file of this machine to send" },
    run: async ({ connection: { client }, word, option }) => {
      const file = option("file");
      const content =
        file === undefined
          ? { content: await readText(process.stdin), encoding: "utf8" as const }
          : { content: (await readFile(file)).toString("base64"), encoding: "base64" as const };
      const value = await client.workspace.writeFile.mutate({
        runId: word("RUN"),
        path: word("PATH"),
        ...content,
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "edit",
    summary: "Replace a text that stands in a file exactly once",
    takes: ["RUN", "PATH"],
    options: { old: "the text that stands there", new: "the text to put there", all: "everywhere it stands" },
    flags: ["all"],
    run: async ({ connection: { client }, word, option, hasFlag }) => {
      const [oldText, newText] = [option("old"), option("new")];
      if (oldText === undefined || newText === undefined)
        throw new OperatorError("edit takes --old and --new.");
      const value = await client.workspace.editFile.mutate({
        runId: word("RUN"),
        path: word("PATH"),
        oldText,
        newText,
        replaceAll: hasFlag("all"),
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "delete",
    summary: "Delete a file, or a directory with --recursive",
    takes: ["RUN", "PATH"],
    options: { recursive: "with all that is in it" },
    flags: ["recursive"],
    run: async ({ connection: { client }, word, hasFlag }) => {
      const value = await client.workspace.deleteFile.mutate({
        runId: word("RUN"),
        path: word("PATH"),
        recursive: hasFlag("recursive"),
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "run",
    summary: "Run a command and wait for it; the exit code is the command's",
    takes: ["RUN", "COMMAND..."],
    options: { timeout: "seconds until it is ended (120)" },
    run: async (given) => {
      const runId = given.word("RUN");
      const timeoutMs = Number(given.option("timeout") ?? 120) * 1_000;
      const { client } = given.connection;
      const command = given.word("COMMAND");
      return followCommand(
        given,
        runId,
        await client.workspace.runCommand.mutate({ runId, command, timeoutMs, waitMs }),
      );
    },
  },
  {
    name: "wait",
    summary: "Wait for a command that is still running",
    takes: ["RUN", "COMMAND"],
    run: async (given) => {
      const [runId, commandId] = [given.word("RUN"), given.word("COMMAND")];
      const { client } = given.connection;
      return followCommand(
        given,
        runId,
        await client.workspace.waitCommand.mutate({ runId, commandId, waitMs }),
      );
    },
  },
];

/** How a workspace ends, and what an agent leaves where it could not open one. */
export const endCommands: readonly Command[] = [
  {
    name: "complete",
    summary: "Propose what the workspace holds as a ChangeSet",
    takes: ["RUN", "TITLE"],
    options: { summary: "what was done and why" },
    run: async ({ connection: { client }, word, option }) => {
      const value = await client.workspace.completeTask.mutate({
        runId: word("RUN"),
        title: word("TITLE"),
        summary: option("summary") ?? "",
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "fail",
    summary: "Give the Task up with a reason",
    takes: ["RUN", "REASON"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.workspace.failTask.mutate({ runId: word("RUN"), reason: word("REASON") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "close",
    summary: "Close a workspace without a result",
    takes: ["RUN"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.workspace.close.mutate({ runId: word("RUN") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "intents list",
    summary: "List Intents",
    takes: [],
    options: { change: "of this Change only" },
    run: async ({ connection: { client }, option }) => {
      const changeId = option("change");
      const value = await client.intent.list.query({
        ...(changeId === undefined ? {} : { changeId }),
        limit: 200,
      });
      const rows = value.items.map(({ id, taskId, title }) => [id, taskId, title]);
      return { value, text: formatTable(["ID", "TASK", "TITLE"], rows) };
    },
  },
  {
    name: "intents declare",
    summary: "Write down what would be changed and why",
    takes: ["TASK", "TITLE", "BODY"],
    options: { refusal: "the id of the refused open that it answers" },
    run: async ({ connection: { client }, word, option }) => {
      const refusalId = option("refusal");
      const value = await client.intent.declare.mutate({
        taskId: word("TASK"),
        title: word("TITLE"),
        body: word("BODY"),
        ...(refusalId === undefined ? {} : { refusalId }),
      });
      return { value, text: formatRecord(value) };
    },
  },
];

/** Asks again until the command has ended. */
async function followCommand(given: Given, runId: string, first: CommandResult): Promise<Outcome> {
  let value = first;
  while (value.status === "running") {
    const { commandId } = value;
    value = await given.connection.client.workspace.waitCommand.mutate({ runId, commandId, waitMs });
  }
  return { value, text: formatCommand(value), exitCode: exitCodeOf(value) };
}

function exitCodeOf(result: CommandResult): number {
  return result.status === "exited" ? (result.exitCode ?? 1) : 1;
}

/** What a command wrote and how it ended, for people. */
export function formatCommand(result: CommandResult): string {
  if (result.status === "rejected") {
    return [result.message, "Accepted:", ...result.allowed.map((allowed) => `  ${allowed}`)].join("\n");
  }
  const written = [result.stdout, result.stderr].map(({ text }) => toPrintable(text).trimEnd());
  const end =
    result.status === "exited"
      ? `exit ${result.exitCode ?? result.signal ?? "unknown"} after ${seconds(result.durationMs)}`
      : result.status === "timed_out"
        ? `timed out after ${seconds(result.durationMs)}`
        : result.status === "running"
          ? `still running: wait for command ${result.commandId}`
          : `interrupted: ${result.message}`;
  return [...written.filter((part) => part !== ""), `[${end}]`].join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

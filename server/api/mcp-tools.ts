import type { z } from "zod";
import {
  commandResult,
  completeTaskInput,
  completeTaskResult,
  deleteFileInput,
  deleteFileResult,
  editFileInput,
  editFileResult,
  failTaskInput,
  failTaskResult,
  listFilesInput,
  listFilesResult,
  openWorkspaceInput,
  openWorkspaceResult,
  readFileInput,
  readFileResult,
  runCommandInput,
  waitCommandInput,
  writeFileInput,
  writeFileResult,
} from "../workspaces/schema";
import { declareIntentInput } from "./intent/declare";
import { intentView } from "./intent/schema";
import type { createCaller } from "./root";

type Api = ReturnType<typeof createCaller>;

/** A procedure as a tool of MCP. The procedure itself checks policy and input. */
export interface McpTool {
  name: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  call(api: Api, input: unknown): Promise<object>;
}

function tool<Input extends z.ZodType, Output extends z.ZodType>(given: {
  name: string;
  description: string;
  input: Input;
  output: Output;
  call: (api: Api, input: z.input<Input>) => Promise<object>;
}): McpTool {
  return { ...given, call: (api, input) => given.call(api, input as z.input<Input>) };
}

const fileTools = [
  tool({
    name: "list_files",
    description: "List files and directories of the workspace, `depth` levels deep.",
    input: listFilesInput,
    output: listFilesResult,
    call: (api, input) => api.workspace.listFiles(input),
  }),
  tool({
    name: "read_file",
    description: "Read a file of the workspace, or the lines from `startLine` to `endLine`.",
    input: readFileInput,
    output: readFileResult,
    call: (api, input) => api.workspace.readFile(input),
  }),
  tool({
    name: "write_file",
    description:
      "Replace a whole file, or make it. With `expectedSha256` only if nobody changed it meanwhile.",
    input: writeFileInput,
    output: writeFileResult,
    call: (api, input) => api.workspace.writeFile(input),
  }),
  tool({
    name: "edit_file",
    description:
      "Replace `oldText`, which must stand in the file exactly once, by `newText`; `replaceAll` for all.",
    input: editFileInput,
    output: editFileResult,
    call: (api, input) => api.workspace.editFile(input),
  }),
  tool({
    name: "delete_file",
    description: "Delete a file, or with `recursive` a directory.",
    input: deleteFileInput,
    output: deleteFileResult,
    call: (api, input) => api.workspace.deleteFile(input),
  }),
];

const commandTools = [
  tool({
    name: "run_command",
    description:
      "Run one accepted command (bun install, bun test, bun run <script>, bunx tsc --noEmit, git status|diff|log, ls). " +
      "There is no shell. A `rejected` result lists what is accepted; a `running` one is taken up with wait_command.",
    input: runCommandInput,
    output: commandResult,
    call: (api, input) => api.workspace.runCommand(input),
  }),
  tool({
    name: "wait_command",
    description: "Wait for a command that was still running.",
    input: waitCommandInput,
    output: commandResult,
    call: (api, input) => api.workspace.waitCommand(input),
  }),
];

/** The tools that the contract's section 1 names, with the schemas of their procedures. */
export const mcpTools: readonly McpTool[] = [
  tool({
    name: "open_workspace",
    description:
      "Open a workspace for a Task: a clone of the repository in a sandbox. A `refused` result says why and changed " +
      "nothing; answer it with declare_intent.",
    input: openWorkspaceInput,
    output: openWorkspaceResult,
    call: (api, input) => api.workspace.open(input),
  }),
  ...fileTools,
  ...commandTools,
  tool({
    name: "complete_task",
    description: "Propose what the workspace holds as a ChangeSet for review, and close the workspace.",
    input: completeTaskInput,
    output: completeTaskResult,
    call: (api, input) => api.workspace.completeTask(input),
  }),
  tool({
    name: "fail_task",
    description: "Give the Task up with a reason, and close the workspace.",
    input: failTaskInput,
    output: failTaskResult,
    call: (api, input) => api.workspace.failTask(input),
  }),
  tool({
    name: "declare_intent",
    description: "Write down what you would change and why, when no workspace was to be had.",
    input: declareIntentInput,
    output: intentView,
    call: (api, input) => api.intent.declare(input),
  }),
];

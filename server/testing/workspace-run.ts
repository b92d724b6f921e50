import type { CommandResult, ReadFileResult, WriteFileResult } from "../workspaces/schema";
import type { WorkspaceProcess } from "./workspace-process";
import type { WorkspaceProject, WorkspaceTask, WorkspaceWorld } from "./workspace-world";

/** An open Run with its tools; each may be called through another process than the one that opened it. */
export interface OpenRun extends WorkspaceTask {
  runId: string;
  uid: number;
  write(path: string, content: string | Buffer, options?: WriteOptions): Promise<WriteFileResult>;
  edit(path: string, oldText: string, newText: string): Promise<void>;
  remove(path: string, recursive?: boolean): Promise<void>;
  read(path: string, through?: WorkspaceProcess): Promise<ReadFileResult>;
  /** The whole file as bytes. */
  bytes(path: string): Promise<Buffer>;
  run(command: string, options?: RunOptions): Promise<CommandResult>;
  state(): Promise<string>;
  close(): Promise<{ wallSeconds: number; chargedSeconds: number }>;
}

interface WriteOptions {
  executable?: boolean;
  expectedSha256?: string;
  through?: WorkspaceProcess;
}

interface RunOptions {
  waitMs?: number;
  timeoutMs?: number;
  idempotencyKey?: string;
  through?: WorkspaceProcess;
}

export async function openTestRun(
  world: WorkspaceWorld,
  process: WorkspaceProcess,
  project: WorkspaceProject,
): Promise<OpenRun> {
  const task = await world.createTask(project);
  const { agent } = task;
  const answer = await process.workspaces.open(agent, { taskId: task.taskId });
  if (answer.status !== "open") throw new Error(`refused: ${answer.message}`);
  const { runId } = answer;
  const { uid } = await process.workspaces.getRun(agent, runId);
  const { workspaces } = process;
  const bytesMax = 1024 * 1024;
  const read: OpenRun["read"] = (path, through = process) =>
    through.workspaces.readFile(agent, { runId, path, maxBytes: bytesMax });
  return {
    ...task,
    runId,
    uid,
    write: (path, content, { through = process, ...options } = {}) => {
      const text =
        typeof content === "string"
          ? { content, encoding: "utf8" as const }
          : { content: content.toString("base64"), encoding: "base64" as const };
      return through.workspaces.writeFile(agent, { runId, path, ...text, ...options });
    },
    edit: async (path, oldText, newText) => {
      await workspaces.editFile(agent, { runId, path, oldText, newText, replaceAll: false });
    },
    remove: async (path, recursive = false) => {
      await workspaces.deleteFile(agent, { runId, path, recursive });
    },
    read,
    bytes: async (path) => {
      const { content, encoding } = await read(path);
      return Buffer.from(content, encoding);
    },
    run: (command, { through = process, waitMs = 45_000, timeoutMs = 60_000, ...options } = {}) =>
      through.workspaces.runCommand(agent, { runId, command, waitMs, timeoutMs, ...options }),
    state: async () => (await workspaces.getRun(agent, runId)).state,
    close: async () => {
      const { wallSeconds, chargedSeconds } = await workspaces.close(agent, { runId });
      return { wallSeconds, chargedSeconds };
    },
  };
}

import type {
  CommandResult,
  CompleteTaskInput,
  CompleteTaskResult,
  EditFileInput,
  OpenWorkspaceResult,
} from "../workspaces/schema";

/** The tools of an agent that the scripted one uses, however they are reached. */
export interface AgentTools {
  open(input: { taskId: string }): Promise<OpenWorkspaceResult>;
  listFiles(input: { runId: string; depth: number }): Promise<{ items: { path: string }[] }>;
  readFile(input: { runId: string; path: string }): Promise<{ sha256: string | null }>;
  editFile(input: Pick<EditFileInput, "runId" | "path" | "oldText" | "newText">): Promise<unknown>;
  runCommand(input: { runId: string; command: string; waitMs: number }): Promise<CommandResult>;
  waitCommand(input: { runId: string; commandId: string; waitMs: number }): Promise<CommandResult>;
  completeTask(input: Pick<CompleteTaskInput, "runId" | "title" | "summary">): Promise<CompleteTaskResult>;
  failTask(input: { runId: string; reason: string }): Promise<unknown>;
}

/** Is told what happens, step by step. */
export interface Steps {
  take<Result>(what: string, act: () => Promise<Result>): Promise<Result>;
  /** One line below the step. */
  note(line: string): void;
  /** What a command came to. */
  showCommand(result: CommandResult): void;
}

/** How the scripted agent came out. */
export type ScriptedResult =
  | { status: "proposed"; runId: string; changeSetId: string }
  | { status: "refused"; refusalId: string; reason: string; message: string }
  /** A step did not come out as it should; the Run has failed with this reason. */
  | { status: "failed"; runId: string; message: string };

/** What a started demo has made. Its Run follows in the background. */
export interface StartedDemo {
  projectId: string;
  changeId: string;
  taskId: string;
}

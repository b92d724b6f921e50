import type { Caller } from "../access/types";
import type { SecondsSoFar } from "../meter/types";
import { DomainError } from "../platform/errors";
import { slotLimit } from "../projects/rules";
import { createCommandFollower } from "./commands/follower";
import { createCommandTools } from "./commands/service";
import { completeTask } from "./completion/complete";
import type { WorkspaceDeps } from "./deps";
import { createFileTools, type FileTools } from "./files/service";
import { createGate, runScopeOf } from "./lifecycle/awake";
import { cleanUpQuietly, endRun, type RunEnd } from "./lifecycle/end";
import { openWorkspace } from "./lifecycle/open";
import { createSweep } from "./lifecycle/sweep";
import { carryOutOnce } from "./once";
import { createRunLog, type RunLog } from "./runs/events";
import { sandboxIdOf } from "./runs/rules";
import { describeEnd, describeKept } from "./runs/describe-end";
import { isEnded } from "./runs/state";
import type { RunRecord } from "./runs/types";
import type {
  CloseWorkspaceResult,
  CommandResult,
  CompleteTaskInput,
  CompleteTaskResult,
  DeleteFileInput,
  DeleteFileResult,
  EditFileInput,
  EditFileResult,
  FailTaskInput,
  FailTaskResult,
  ListFilesInput,
  ListFilesResult,
  OpenWorkspaceInput,
  OpenWorkspaceResult,
  ReadFileInput,
  ReadFileResult,
  RunCommandInput,
  RunInput,
  WaitCommandInput,
  WorkspaceResult,
  WriteFileInput,
  WriteFileResult,
} from "./schema";

/** Whole seconds over all sessions of a Run; an open one counts as if it ended now, and then nothing is settled yet. */
export type RunSeconds = Pick<SecondsSoFar, "wallSeconds" | "chargedSeconds" | "isSettled">;

/** A Run as it is shown, with what it was charged so far. */
export interface RunWithSeconds extends RunRecord, RunSeconds {}

/**
 * The Runs of agents: opened, worked in with tools, and ended once. A Run of somebody else is not found.
 * Errors of every call with a `runId`: `run.not_found`; of every tool: `run.ended`, `run.busy` while it opens or
 * completes, `workspace.wake_refused`, `sandbox.*`.
 */
export interface Workspaces extends RunLog {
  open(caller: Caller, input: OpenWorkspaceInput): Promise<OpenWorkspaceResult>;
  get(caller: Caller, input: RunInput): Promise<WorkspaceResult>;
  listFiles(caller: Caller, input: ListFilesInput): Promise<ListFilesResult>;
  readFile(caller: Caller, input: ReadFileInput): Promise<ReadFileResult>;
  writeFile(caller: Caller, input: WriteFileInput): Promise<WriteFileResult>;
  editFile(caller: Caller, input: EditFileInput): Promise<EditFileResult>;
  deleteFile(caller: Caller, input: DeleteFileInput): Promise<DeleteFileResult>;
  runCommand(caller: Caller, input: RunCommandInput): Promise<CommandResult>;
  waitCommand(caller: Caller, input: WaitCommandInput): Promise<CommandResult>;
  completeTask(caller: Caller, input: CompleteTaskInput): Promise<CompleteTaskResult>;
  failTask(caller: Caller, input: FailTaskInput): Promise<FailTaskResult>;
  close(caller: Caller, input: RunInput): Promise<CloseWorkspaceResult>;

  getRun(caller: Caller, runId: string): Promise<RunWithSeconds>;
  /** Oldest first. */
  listRuns(
    caller: Caller,
    input: { taskId: string | null; changeId: string | null; after: string | null; limit: number },
  ): Promise<RunWithSeconds[]>;
  /** Ends a Run as `failed`, by a person. Repeating it gives the same answer. */
  stopRun(
    caller: Caller,
    input: { runId: string; reason: string },
  ): Promise<RunWithSeconds & { kept: string }>;
  /** Ends every live Run of an archived Project. */
  endRunsOf(projectId: string): Promise<void>;
  /** Slots of a Change and who holds them. */
  slots(changeId: string): Promise<{ max: number; open: number; workspaces: RunRecord[] }>;
  /** Drives everything that is half done to where it can stand. Called every few seconds; each call repeats nothing. */
  sweep(): Promise<void>;
}

export function createWorkspaces(deps: WorkspaceDeps): Workspaces {
  const gate = createGate(deps);
  const follower = createCommandFollower(deps);
  return {
    ...repeatableFileTools(deps, createFileTools(deps, gate)),
    ...createCommandTools(deps, { gate, follower }),
    ...createRunLog(deps),
    ...runReads(deps),
    ...runEnds(deps),
    open: (caller, input) =>
      carryOutOnce(
        deps.idempotency,
        { caller, procedure: "workspace.open", scopeId: input.taskId, input },
        (result) => result.status === "open",
        () => openWorkspace(deps, caller, input),
      ),
    completeTask: (caller, input) =>
      carryOutOnce(
        deps.idempotency,
        { caller, procedure: "workspace.completeTask", scopeId: input.runId, input },
        () => true,
        () => completeTask(deps, gate, caller, input),
      ),
    sweep: createSweep(deps, follower),
  };
}

function repeatableFileTools(deps: WorkspaceDeps, tools: FileTools): FileTools {
  const once = <Input extends { runId: string; idempotencyKey?: string | undefined }, Result extends object>(
    procedure: string,
    act: (caller: Caller, input: Input) => Promise<Result>,
  ): ((caller: Caller, input: Input) => Promise<Result>) => {
    return (caller, input) => {
      const call = { caller, procedure, scopeId: input.runId, input };
      return carryOutOnce(
        deps.idempotency,
        call,
        () => true,
        () => act(caller, input),
      );
    };
  };
  return {
    ...tools,
    writeFile: once("workspace.writeFile", (caller, input: WriteFileInput) => tools.writeFile(caller, input)),
    editFile: once("workspace.editFile", (caller, input: EditFileInput) => tools.editFile(caller, input)),
    deleteFile: once("workspace.deleteFile", (caller, input: DeleteFileInput) =>
      tools.deleteFile(caller, input),
    ),
  };
}

function runReads(deps: WorkspaceDeps): Pick<Workspaces, "get" | "getRun" | "listRuns" | "slots"> {
  const { stores, settings } = deps;
  return {
    get: async (caller, { runId }) => {
      const run = await getRun(deps, caller, runId);
      const sandbox = await deps.sandboxes.find(sandboxIdOf(run.projectId));
      const mayFallAsleep = run.state === "open" && (await stores.commands.listRunning(run.id)).length === 0;
      const idleAtMs = run.lastActivityAt.getTime() + settings.sleepAfterMs;
      return {
        runId: run.id,
        taskId: run.taskId,
        state: run.state,
        sandboxId: sandboxIdOf(run.projectId),
        sandboxState: sandbox?.state ?? null,
        baseCommit: run.baseCommit,
        ...(await secondsOf(deps, run.id)),
        idleDeadlineAt: mayFallAsleep ? new Date(idleAtMs).toISOString() : null,
      };
    },
    getRun: async (caller, runId) => ({
      ...(await getRun(deps, caller, runId)),
      ...shown(await secondsOf(deps, runId)),
    }),
    listRuns: async (caller, { changeId, ...page }) => {
      const scope = runScopeOf(caller);
      if (changeId !== null && scope.changeId !== null && changeId !== scope.changeId) return [];
      const runs = await stores.runs.list({ ...scope, changeId: changeId ?? scope.changeId, ...page });
      const seconds = await deps.meter.secondsByRun(runs.map(({ id }) => id));
      return runs.map((run) => ({ ...run, ...shown(secondsIn(seconds, run.id)) }));
    },
    slots: async (changeId) => {
      const { open, max } = await stores.runs.countSlots(changeId);
      const workspaces = await stores.runs.listLive({ changeId });
      return { max: slotLimit(max, settings.slotsMax), open, workspaces };
    },
  };
}

function runEnds(deps: WorkspaceDeps): Pick<Workspaces, "failTask" | "close" | "stopRun" | "endRunsOf"> {
  const end = async (caller: Caller, runId: string, how: RunEnd): Promise<RunRecord> => {
    const run = await getRun(deps, caller, runId);
    // An end is final, whichever it was; asking again only makes sure that nothing of the Run is left.
    if (!isEnded(run.state)) await endRun(deps, run, how);
    else if (run.forkRemovedAt === null) await cleanUpQuietly(deps, run);
    return getRun(deps, caller, runId);
  };
  return {
    failTask: async (caller, { runId, reason }) => {
      const run = await end(caller, runId, { state: "failed", kind: "fail_task", reason });
      return { runId, state: run.state, message: describeEnd(run, "fail_task") };
    },
    close: async (caller, { runId }) => {
      const run = await end(caller, runId, { state: "closed", kind: "closed", reason: null });
      const { wallSeconds, chargedSeconds } = await secondsOf(deps, runId);
      return { runId, state: run.state, message: describeEnd(run, "closed"), wallSeconds, chargedSeconds };
    },
    stopRun: async (caller, { runId, reason }) => {
      const run = await end(caller, runId, { state: "failed", kind: "stopped", reason });
      const kept = `${describeEnd(run, "stopped")} ${describeKept(run)}`;
      return { ...run, ...shown(await secondsOf(deps, runId)), kept };
    },
    endRunsOf: async (projectId) => {
      const runs = await deps.stores.runs.listLive({ projectId });
      const end: RunEnd = { state: "closed", kind: "archived", reason: "its Project was archived" };
      const ends = await Promise.allSettled(runs.map((run) => endRun(deps, run, end)));
      for (const one of ends) if (one.status === "rejected") throw one.reason;
    },
  };
}

async function getRun(deps: WorkspaceDeps, caller: Caller, runId: string): Promise<RunRecord> {
  const run = await deps.stores.runs.find(runId, runScopeOf(caller));
  if (run === null) throw new DomainError("run.not_found", "There is no such run.");
  return run;
}

async function secondsOf(deps: WorkspaceDeps, runId: string): Promise<SecondsSoFar> {
  return secondsIn(await deps.meter.secondsByRun([runId]), runId);
}

function secondsIn(seconds: ReadonlyMap<string, SecondsSoFar>, runId: string): SecondsSoFar {
  const found = seconds.get(runId);
  if (found === undefined) throw new Error(`The meter was not asked for the Run ${runId}.`);
  return found;
}

function shown({ wallSeconds, chargedSeconds, isSettled }: SecondsSoFar): RunSeconds {
  return { wallSeconds, chargedSeconds, isSettled };
}

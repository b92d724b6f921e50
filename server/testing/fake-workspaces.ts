import { createHash } from "node:crypto";
import type { Caller } from "../access/types";
import { DomainError } from "../platform/errors";
import { scopeOf } from "../access/scope";
import type { Projects } from "../projects/service";
import { sandboxIdOf } from "../workspaces/runs/rules";
import type { RunEventKind, RunRecord } from "../workspaces/runs/types";
import type { CommandResult, OpenWorkspaceResult } from "../workspaces/schema";
import type { RunEventView } from "../workspaces/runs/types";
import type { RunWithSeconds, Workspaces } from "../workspaces/service";
import { cut, fakeTime } from "./fake-projects";

/** Runs in memory: each with a few files and one command at a time that ends when the test says so. */
export interface FakeWorkspaces extends Workspaces {
  runs: RunRecord[];
  events: Map<string, RunEventView[]>;
  /** What the next open answers instead of a workspace. */
  refuseNext(refusal: OpenWorkspaceResult & { status: "refused" }): void;
  /** How the next command is carried out. */
  answerCommand(carryOut: () => Promise<CommandResult>): void;
}

export function createFakeWorkspaces(deps: { projects: Projects; uuid: () => string }): FakeWorkspaces {
  const { projects, uuid } = deps;
  const runs: RunRecord[] = [];
  const events = new Map<string, RunEventView[]>();
  const files = new Map<string, string>();
  let refusal: OpenWorkspaceResult | null = null;
  let carryOut = (): Promise<CommandResult> => Promise.resolve(exited(uuid(), ["bun", "test"], 0, "ok\n"));

  const requireRun = (caller: Caller, runId: string): RunRecord => {
    const found = runs.find(
      ({ id, actorId }) => id === runId && (caller.role !== "agent" || actorId === caller.actor.id),
    );
    if (found === undefined) throw new DomainError("run.not_found", "There is no such Run.");
    return found;
  };
  const write = (runId: string, kind: RunEventKind, data: Record<string, unknown>): void => {
    const list = events.get(runId) ?? [];
    list.push({ seq: list.length + 1, at: fakeTime.toISOString(), kind, data });
    events.set(runId, list);
  };
  const end = (run: RunRecord, state: RunRecord["state"], reason: string | null): RunRecord => {
    Object.assign(run, { state, endedAt: fakeTime, endKind: "closed", endReason: reason });
    write(run.id, "ended", { state });
    return run;
  };
  const read = (runId: string, path: string): string => {
    const text = files.get(`${runId}/${path}`);
    if (text === undefined) throw new DomainError("file.not_found", `${path}: there is no such file.`);
    return text;
  };

  return {
    runs,
    events,
    refuseNext: (given) => {
      refusal = given;
    },
    answerCommand: (given) => {
      carryOut = given;
    },
    open: async (caller, { taskId, revisesChangeSetId = null }) => {
      const task = await projects.getTask(taskId, scopeOf(caller));
      if (revisesChangeSetId !== null) throw new DomainError("conflict.stale", "It can't be revised.");
      if (refusal !== null) {
        const answer = refusal;
        refusal = null;
        return answer;
      }
      const run = newRun(uuid(), task, caller.actor.id);
      runs.push(run);
      write(run.id, "opened", {});
      files.set(`${run.id}/README.md`, "# Sample\n");
      return {
        status: "open",
        runId: run.id,
        sandboxId: sandboxIdOf(run.projectId),
        directory: `/workspace/${run.id}`,
        forkName: `ws-${run.id}`,
        baseCommit: "b".repeat(40),
        reservedSeconds: 300,
      };
    },
    get: async (caller, { runId }) => {
      const { id, taskId, state, projectId } = await Promise.resolve(requireRun(caller, runId));
      return {
        runId: id,
        taskId,
        state,
        sandboxId: sandboxIdOf(projectId),
        sandboxState: "live",
        baseCommit: "b".repeat(40),
        ...seconds,
        isSettled: false,
        reservedSeconds: 300,
        idleDeadlineAt: null,
      };
    },
    listFiles: async (caller, { runId }) => {
      const run = await Promise.resolve(requireRun(caller, runId));
      const own = [...files].filter(([key]) => key.startsWith(`${run.id}/`));
      return {
        items: own.map(([key, text]) => ({
          path: key.slice(run.id.length + 1),
          type: "file",
          sizeBytes: text.length,
          mode: "0644",
        })),
        nextCursor: null,
      };
    },
    readFile: async (caller, { runId, path }) => {
      const content = await Promise.resolve(read(requireRun(caller, runId).id, path));
      return {
        path,
        encoding: "utf8",
        content,
        sha256: sha256(content),
        sizeBytes: content.length,
        lineCount: 1,
        truncated: false,
      };
    },
    writeFile: async (caller, { runId, path, content }) => {
      const key = `${(await Promise.resolve(requireRun(caller, runId))).id}/${path}`;
      const created = !files.has(key);
      files.set(key, content);
      return { path, sha256: sha256(content), sizeBytes: content.length, created };
    },
    editFile: async (caller, { runId, path, oldText, newText }) => {
      const before = await Promise.resolve(read(requireRun(caller, runId).id, path));
      if (!before.includes(oldText))
        throw new DomainError("edit.no_match", `${path}: the text is not in it.`);
      const after = before.split(oldText).join(newText);
      files.set(`${runId}/${path}`, after);
      return { path, sha256: sha256(after), replacements: 1 };
    },
    deleteFile: async (caller, { runId, path }) => {
      const run = await Promise.resolve(requireRun(caller, runId));
      return { path, deletedCount: files.delete(`${run.id}/${path}`) ? 1 : 0 };
    },
    runCommand: async (caller, { runId }) => {
      requireRun(caller, runId);
      return carryOut();
    },
    waitCommand: async (caller, { runId, commandId }) => {
      requireRun(caller, runId);
      return Promise.resolve(exited(commandId, ["bun", "test"], 0, "ok\n"));
    },
    completeTask: async (caller, { runId }) => {
      end(requireRun(caller, runId), "proposed", null);
      return Promise.resolve({
        status: "proposed",
        changeSetId: uuid(),
        seriesId: uuid(),
        version: 1,
        baseCommit: "b".repeat(40),
        headCommit: "c".repeat(40),
        filesChanged: 1,
        insertions: 1,
        deletions: 0,
      });
    },
    failTask: async (caller, { runId, reason }) => {
      const { id, state } = await Promise.resolve(end(requireRun(caller, runId), "failed", reason));
      return { runId: id, state, message: `The Run gave its Task up: ${reason}.` };
    },
    close: async (caller, { runId }) => {
      const { id, state } = await Promise.resolve(end(requireRun(caller, runId), "closed", null));
      return { runId: id, state, message: "The Run was closed without a result.", ...seconds };
    },
    getRun: async (caller, runId) => Promise.resolve(withSeconds(requireRun(caller, runId))),
    listRuns: async (caller, { taskId, changeId, ...page }) => {
      const scope = scopeOf(caller);
      const found = runs.filter(
        (run) =>
          (scope.projectId === null ||
            (run.projectId === scope.projectId && run.actorId === caller.actor.id)) &&
          (taskId === null || run.taskId === taskId) &&
          (changeId === null || run.changeId === changeId),
      );
      return Promise.resolve(cut(found, page).map(withSeconds));
    },
    listEvents: async (caller, { runId, after, kinds, limit }) => {
      const found = events.get((await Promise.resolve(requireRun(caller, runId))).id) ?? [];
      return found
        .filter(({ seq, kind }) => seq > after && (kinds === null || kinds.includes(kind)))
        .slice(0, limit);
    },
    streamEvents: async function* (caller, { runId, lastSeq }) {
      const found = events.get((await Promise.resolve(requireRun(caller, runId))).id) ?? [];
      yield* found.filter(({ seq }) => seq > lastSeq);
    },
    search: async (caller, { runId, text, after, limit }) => {
      const found = events.get((await Promise.resolve(requireRun(caller, runId))).id) ?? [];
      const items = found
        .filter(({ seq, data }) => seq > after && JSON.stringify(data).includes(text))
        .slice(0, limit)
        .map(({ seq, at, kind }) => ({ seq, at, kind, commandId: null, excerpts: [text], matchCount: 1 }));
      return { items, nextAfter: null };
    },
    readOutput: async (caller, { runId, offset }) => {
      requireRun(caller, runId);
      return Promise.resolve({ base64: "b2sK", offset, totalBytes: 3, complete: true });
    },
    stopRun: async (caller, { runId, reason }) => {
      const run = await Promise.resolve(end(requireRun(caller, runId), "failed", reason));
      return { ...withSeconds(run), kept: "what its tools wrote" };
    },
    endRunsOf: (projectId) => {
      for (const run of runs)
        if (run.projectId === projectId && run.endedAt === null) end(run, "closed", null);
      return Promise.resolve();
    },
    sweep: () => Promise.resolve(),
    slots: (changeId) => {
      const open = runs.filter((run) => run.changeId === changeId && run.endedAt === null);
      return Promise.resolve({ max: 4, open: open.length, workspaces: open });
    },
  };
}

const seconds = { wallSeconds: 5, chargedSeconds: 125 };

function withSeconds(run: RunRecord): RunWithSeconds {
  return { ...run, ...seconds, isSettled: run.endedAt !== null };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A command that came to its end. */
export function exited(commandId: string, argv: string[], exitCode: number, text: string): CommandResult {
  const none = { text: "", totalBytes: 0, truncated: false };
  return {
    status: "exited",
    commandId,
    argv,
    exitCode,
    signal: null,
    durationMs: 12,
    stdout: { text, totalBytes: text.length, truncated: false },
    stderr: none,
  };
}

function newRun(
  id: string,
  task: { id: string; changeId: string; projectId: string },
  actorId: string,
): RunRecord {
  return {
    id,
    taskId: task.id,
    changeId: task.changeId,
    projectId: task.projectId,
    actorId,
    state: "open",
    stateDeadlineAt: null,
    uid: 10_000,
    revisesChangeSetId: null,
    baseCommit: "b".repeat(40),
    resultCommit: null,
    resultTree: null,
    runtimeId: null,
    runtime: "runc",
    imageDigest: null,
    sessionId: null,
    proposalTitle: null,
    proposalSummary: null,
    restoreCount: 0,
    openedAt: fakeTime,
    lastActivityAt: fakeTime,
    endedAt: null,
    endKind: null,
    endReason: null,
    forkRemovedAt: null,
  };
}

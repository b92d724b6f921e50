import type { Caller } from "../../access/types";
import { scopeOf } from "../../access/scope";
import { DomainError, describeError } from "../../platform/errors";
import { isCodingKind, slotLimit } from "../../projects/rules";
import type { ProjectRecord, TaskRecord } from "../../projects/types";
import type { SandboxRecord } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { directoryOf, forkOf, sandboxIdOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";
import type { OpenWorkspaceInput, OpenWorkspaceResult } from "../schema";
import { checkOut } from "./checkout";
import { discard } from "./discard";
import { keepLease, leaseUntil } from "./lease";

type Refusal = Omit<Extract<OpenWorkspaceResult, { status: "refused" }>, "status" | "refusalId">;

/** Carries a refusal out of the transaction that it undoes. */
class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/**
 * Opens a workspace for a Task, or refuses with nothing left behind: no fork, no container, no reservation, only the
 * `workspace.refused` event whose id is the `refusalId`. When it breaks half-way nothing stays either.
 * Errors: `task.not_found`, `conflict.stale` for a ChangeSet that cannot be revised, `sandbox.*`, `git.*`.
 */
export async function openWorkspace(
  deps: WorkspaceDeps,
  caller: Caller,
  input: OpenWorkspaceInput,
): Promise<OpenWorkspaceResult> {
  const task = await deps.projects.findTask(input.taskId, scopeOf(caller));
  if (task === null) throw new DomainError("task.not_found", "There is no such task.");
  try {
    const start = await findStart(deps, task, input.revisesChangeSetId ?? null);
    const { run, reservedSeconds } = await admit(deps, caller, task, { ...start, ...input });
    const lease = keepLease(deps, run, { state: "opening", until: run.stateDeadlineAt });
    try {
      const sandbox = await ensureSandbox(deps, run);
      const { commit } = await deps.git.createFork({ ...forkOf(run), startCommit: start.commit });
      await checkOut(deps, run);
      const stateDeadlineAt = await lease.end();
      await finishOpening(deps, { ...run, baseCommit: commit, stateDeadlineAt }, sandbox);
      return {
        status: "open",
        runId: run.id,
        sandboxId: sandbox.sandboxId,
        directory: directoryOf(run.id),
        forkName: forkOf(run).forkName,
        baseCommit: commit,
        reservedSeconds,
      };
    } catch (error) {
      await lease.end();
      await discard(deps, run).catch((cause: unknown) => {
        // The Run still says `opening`, so the sweep takes it up once its deadline has passed.
        deps.logger.warn(
          { runId: run.id, reason: describeError(cause) },
          "an open that broke could not be undone yet",
        );
      });
      throw error;
    } finally {
      await lease.end();
    }
  } catch (error) {
    if (error instanceof Refused) return recordRefusal(deps, task, caller, error.refusal);
    throw error;
  }
}

/** Where the Run starts: the canonical head, or the head of the ChangeSet that it revises. */
async function findStart(
  deps: WorkspaceDeps,
  task: TaskRecord,
  revisesChangeSetId: string | null,
): Promise<{ commit: string }> {
  if (!isCodingKind(task.kind)) {
    throw new Refused({
      reason: "task_kind",
      message: `A Task of kind ${task.kind} never opens a workspace. Declare an Intent, or make a Task of kind implement, migrate or test.`,
      limit: null,
      used: null,
    });
  }
  const project = await deps.projects.findProject(task.projectId, { projectId: null, changeId: null });
  if (project === null || project.state !== "ready") throw notReady(project);
  const head = await deps.git.getBranch({ projectId: project.id, branch: project.defaultBranch });
  if (head === null) throw notReady(project);
  if (revisesChangeSetId === null) return head;
  const { headCommit } = await deps.revisions.canRevise(revisesChangeSetId, task.id);
  return { commit: headCommit };
}

/** Slot, uid, reservation and Run in one transaction: all of them or none. */
async function admit(
  deps: WorkspaceDeps,
  caller: Caller,
  task: TaskRecord,
  start: { commit: string; revisesChangeSetId?: string | undefined },
): Promise<{ run: RunRecord & { stateDeadlineAt: Date }; reservedSeconds: number }> {
  const { settings, clock, ids } = deps;
  const runId = ids.uuid();
  const sessionId = ids.uuid();
  const now = clock.now();
  return deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    if (!(await runs.takeSlot(task.changeId, settings.slotsMax))) throw await slotsFull(deps, task.changeId);
    const uid = await runs.takeUid(task.projectId);
    if (uid === null) throw notReady(null);
    const reservation = await deps.meter.reserve(tx, {
      sessionId,
      runId,
      projectId: task.projectId,
      changeId: task.changeId,
      reserveSeconds: settings.reserveSeconds,
      tailSeconds: settings.tailSeconds,
      now,
    });
    if (reservation.status === "refused") throw meterExhausted(reservation);
    const run = {
      id: runId,
      taskId: task.id,
      changeId: task.changeId,
      projectId: task.projectId,
      actorId: caller.actor.id,
      state: "opening" as const,
      stateDeadlineAt: leaseUntil(deps),
      uid,
      revisesChangeSetId: start.revisesChangeSetId ?? null,
      baseCommit: start.commit,
      resultCommit: null,
      resultTree: null,
      runtimeId: null,
      runtime: null,
      imageDigest: null,
      sessionId,
      proposalTitle: null,
      proposalSummary: null,
      restoreCount: 0,
      openedAt: now,
      lastActivityAt: now,
      endedAt: null,
      endKind: null,
      endReason: null,
      forkRemovedAt: null,
    };
    await runs.create(run);
    return { run, reservedSeconds: reservation.reservedSeconds };
  });
}

async function ensureSandbox(deps: WorkspaceDeps, run: RunRecord): Promise<SandboxRecord> {
  const ensured = await deps.sandboxes.ensure({
    sandboxId: sandboxIdOf(run.projectId),
    sleepAfterMs: deps.settings.sleepAfterMs,
  });
  if (ensured.status === "refused") {
    throw new Refused({
      reason: "sandbox_max",
      message: ensured.message,
      limit: ensured.limit,
      used: ensured.used,
    });
  }
  await deps.publishSandboxes();
  return ensured.sandbox;
}

async function finishOpening(deps: WorkspaceDeps, run: RunRecord, sandbox: SandboxRecord): Promise<void> {
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const isStillOurs = await runs.move(
      run.id,
      ["opening"],
      {
        state: "open",
        stateDeadlineAt: null,
        baseCommit: run.baseCommit,
        runtimeId: sandbox.runtimeId,
        runtime: sandbox.runtime,
        imageDigest: sandbox.imageDigest,
        lastActivityAt: now,
      },
      { stateDeadlineAt: run.stateDeadlineAt },
    );
    if (!isStillOurs) throw new DomainError("run.ended", "The Run was ended while it opened.");
    const opening = await deps.meter.open(tx, { sessionId: run.sessionId ?? "", now });
    if (opening.status === "no_room") throw new Refused(noRoomAfterEdge);
    await runs.appendEvent(run.id, {
      kind: "opened",
      at: now,
      data: { baseCommit: run.baseCommit, runtime: sandbox.runtime, imageDigest: sandbox.imageDigest },
    });
    await deps.events.append(tx, {
      type: "workspace.opened",
      at: now,
      projectId: run.projectId,
      changeId: run.changeId,
      data: { runId: run.id, taskId: run.taskId, sandboxId: sandbox.sandboxId },
    });
  });
}

async function recordRefusal(
  deps: WorkspaceDeps,
  task: TaskRecord,
  caller: Caller,
  refusal: Refusal,
): Promise<OpenWorkspaceResult> {
  const refusalId = await deps.transaction((tx) =>
    deps.events.append(tx, {
      type: "workspace.refused",
      at: deps.clock.now(),
      projectId: task.projectId,
      changeId: task.changeId,
      data: { taskId: task.id, actorId: caller.actor.id, ...withoutUndefined(refusal) },
    }),
  );
  return { status: "refused", refusalId, ...refusal };
}

function withoutUndefined(refusal: Refusal): Record<string, string | number | null> {
  const { retryAt, ...rest } = refusal;
  return retryAt === undefined ? rest : { ...rest, retryAt };
}

function notReady(project: ProjectRecord | null): Refused {
  const why =
    project?.state === "ready"
      ? "has no commit on its default branch"
      : `is ${project?.state ?? "not ready"}`;
  return new Refused({
    reason: "project_not_ready",
    message: `The Project ${why}.`,
    limit: null,
    used: null,
  });
}

async function slotsFull(deps: WorkspaceDeps, changeId: string): Promise<Refused> {
  const slots = await deps.stores.runs.countSlots(changeId);
  const limit = slotLimit(slots.max, deps.settings.slotsMax);
  return new Refused({
    reason: "change_slots_full",
    message: `All ${limit} workspaces of this Change are open. Close one, or declare an Intent.`,
    limit,
    used: Math.max(slots.open, limit),
  });
}

function meterExhausted(refusal: {
  capSeconds: number;
  usedSeconds: number;
  reservedSeconds: number;
  month: string;
}): Refused {
  const used = refusal.usedSeconds + refusal.reservedSeconds;
  return new Refused({
    reason: "meter_exhausted",
    message: `The meter of ${refusal.month} has no room: ${used} of ${refusal.capSeconds} s are used or reserved. Declare an Intent, or ask an admin to raise the cap.`,
    limit: refusal.capSeconds,
    used,
  });
}

const noRoomAfterEdge: Refusal = {
  reason: "meter_exhausted",
  message: "The month ended while the workspace opened, and the new month has no room.",
  limit: null,
  used: null,
};

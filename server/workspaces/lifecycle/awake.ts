import type { Caller } from "../../access/types";
import { scopeOf } from "../../access/scope";
import { describeError, DomainError } from "../../platform/errors";
import type { SandboxRecord } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { isEnded } from "../runs/state";
import { isSandboxGone, placeOf, sandboxIdOf } from "../runs/rules";
import { everyRun, type RunScope } from "../runs/store";
import type { Restoration, RunPlace, RunRecord } from "../runs/types";
import { fallAsleep } from "./asleep";
import { removeTraces } from "./discard";
import { keepLease, leaseUntil } from "./lease";
import { restoreWorkspace } from "./restore";

/** How long a call waits for a wake that another call or process has begun. */
const joinDeadlineMs = 150_000;
const joinPollMs = 100;
/** How many Sandboxes one call tries before it says that something is wrong. */
const triesMax = 3;

/** A Run that a tool may work in now. */
export interface AwakeRun {
  run: RunRecord;
  place: RunPlace;
  /** Set for the call that had to make the directory anew. */
  restored: Restoration | undefined;
}

/** The gate that every tool passes. Errors: `run.not_found`, `run.ended`, `run.busy`, `workspace.wake_refused`, `sandbox.*`. */
export interface Gate {
  /** Counts as activity of the Run and of its Sandbox, and wakes it when it is asleep. */
  enter(caller: Caller, runId: string): Promise<AwakeRun>;
  /**
   * Enters and acts; when the Sandbox goes away under the act, wakes the Run and acts once more in the new one. An error
   * after a restoration says in its details what was restored.
   */
  within<Result>(caller: Caller, runId: string, act: (awake: AwakeRun) => Promise<Result>): Promise<Result>;
}

/** The Run is not any more where an act found it: what the act did there counts for nothing. */
export class WorkspaceMovedError extends Error {
  override readonly name = "WorkspaceMovedError";
}

/** An agent reaches the Runs that its own token opened; people reach all. */
export function runScopeOf(caller: Caller): RunScope {
  return { ...scopeOf(caller), actorId: caller.role === "agent" ? caller.actor.id : null };
}

export function createGate(deps: WorkspaceDeps): Gate {
  const waking = new Map<string, Promise<Restoration | undefined>>();

  const wakeOnce = (run: RunRecord): Promise<Restoration | undefined> => {
    const known = waking.get(run.id);
    // Whoever joins a wake is not told of the restoration: the call that began it is.
    if (known !== undefined) return known.then(() => undefined);
    const started = wake(deps, run).finally(() => waking.delete(run.id));
    waking.set(run.id, started);
    return started;
  };

  const enter: Gate["enter"] = async (caller, runId) => {
    const scope = runScopeOf(caller);
    const endMs = deps.clock.monotonicMs() + joinDeadlineMs;
    let restored: Restoration | undefined;
    while (deps.clock.monotonicMs() < endMs) {
      const run = await deps.stores.runs.find(runId, scope);
      if (run === null) throw new DomainError("run.not_found", "There is no such run.");
      requireLive(run);
      if (run.state === "asleep") {
        if (run.sessionId === null) restored = (await wakeOnce(run)) ?? restored;
        else if (waking.has(run.id)) await wakeOnce(run);
        else await deps.clock.sleep(joinPollMs);
        continue;
      }
      if (await noteActivity(deps, run)) return { run, place: placeOf(run), restored };
    }
    throw new DomainError("run.busy", "The workspace is still waking. Ask again in a moment.");
  };

  return {
    enter,
    within: async (caller, runId, act) => {
      let restored: Restoration | undefined;
      for (let tries = 1; ; tries++) {
        const awake = await enter(caller, runId);
        restored = awake.restored ?? restored;
        try {
          return await act({ ...awake, restored });
        } catch (error) {
          if (tries < triesMax && (isSandboxGone(error) || error instanceof WorkspaceMovedError)) continue;
          throw withRestoration(error, restored);
        }
      }
    },
  };
}

function withRestoration(error: unknown, restored: Restoration | undefined): unknown {
  if (error instanceof WorkspaceMovedError) {
    return new DomainError("run.busy", "The workspace moves from Sandbox to Sandbox. Ask again in a moment.");
  }
  if (!(error instanceof DomainError) || restored === undefined) return error;
  return new DomainError(error.code, error.message, { ...error.details, restored }, { cause: error });
}

function requireLive(run: RunRecord): void {
  if (isEnded(run.state)) {
    throw new DomainError("run.ended", `This Run has ended as ${run.state}.`, {
      state: run.state,
      endedAt: run.endedAt,
    });
  }
  if (run.state === "opening" || run.state === "completing") {
    throw new DomainError("run.busy", `This Run is ${run.state}. Ask again in a moment.`, {
      state: run.state,
    });
  }
}

/** True when the Run is awake and its directory is where it was; else the Run is asleep now, or about to be looked at again. */
async function noteActivity(deps: WorkspaceDeps, run: RunRecord): Promise<boolean> {
  const sandbox = await deps.sandboxes.find(sandboxIdOf(run.projectId));
  if (sandbox?.state === "starting") {
    // A start, or sandboxd taking over after a restart: which container it is shows in a moment.
    await deps.clock.sleep(joinPollMs);
    return false;
  }
  if (sandbox?.state !== "live" || sandbox.runtimeId !== run.runtimeId) {
    await fallAsleep(deps, run, { why: describeLoss(sandbox) });
    return false;
  }
  if (!(await deps.stores.runs.move(run.id, ["open"], { lastActivityAt: deps.clock.now() }))) return false;
  try {
    await deps.sandboxes.touch({ sandboxId: sandbox.sandboxId, sleepAfterMs: deps.settings.sleepAfterMs });
    return true;
  } catch (error) {
    if (isSandboxGone(error)) return false;
    throw error;
  }
}

export function describeLoss(sandbox: SandboxRecord | null): string {
  return sandbox?.endReason === undefined || sandbox.endReason === null
    ? "its Sandbox is gone"
    : `its Sandbox is gone (${sandbox.endReason.replaceAll("_", " ")})`;
}

/** Opens a new session, makes the directory anew when it is gone, and only then says that the Run is open. */
async function wake(deps: WorkspaceDeps, run: RunRecord): Promise<Restoration | undefined> {
  const sessionId = deps.ids.uuid();
  const until = leaseUntil(deps);
  if (!(await reserve(deps, run, { sessionId, until }))) return undefined;
  const lease = keepLease(deps, run, { state: "asleep", until });
  try {
    const sandbox = await ensureSandbox(deps, run);
    const restored =
      sandbox.runtimeId === run.runtimeId ? undefined : await restoreWorkspace(deps, run, sandbox);
    await lease.end();
    await finishWaking(deps, { ...run, sessionId }, sandbox, restored);
    return restored;
  } catch (error) {
    await lease.end();
    await undoWaking(deps, run, sessionId).catch((cause: unknown) => {
      deps.logger.warn(
        { runId: run.id, reason: describeError(cause) },
        "a wake that broke could not be undone yet",
      );
    });
    throw error;
  }
}

/** False when somebody else began to wake it. */
async function reserve(
  deps: WorkspaceDeps,
  run: RunRecord,
  { sessionId, until: stateDeadlineAt }: { sessionId: string; until: Date },
): Promise<boolean> {
  const { settings, clock } = deps;
  const now = clock.now();
  return deps.transaction(async (tx) => {
    const isOurs = await deps
      .storesIn(tx)
      .runs.move(run.id, ["asleep"], { sessionId, stateDeadlineAt }, { sessionId: null });
    if (!isOurs) return false;
    const reservation = await deps.meter.reserve(tx, {
      sessionId,
      runId: run.id,
      projectId: run.projectId,
      changeId: run.changeId,
      reserveSeconds: settings.reserveSeconds,
      tailSeconds: settings.tailSeconds,
      now,
    });
    if (reservation.status === "refused") {
      throw new DomainError(
        "workspace.wake_refused",
        "The meter has no room, so the workspace stays asleep. Nothing is lost; ask again later.",
        {
          reason: "meter_exhausted",
          limit: reservation.capSeconds,
          used: reservation.usedSeconds + reservation.reservedSeconds,
        },
      );
    }
    return true;
  });
}

async function ensureSandbox(deps: WorkspaceDeps, run: RunRecord): Promise<SandboxRecord> {
  const ensured = await deps.sandboxes.ensure({
    sandboxId: sandboxIdOf(run.projectId),
    sleepAfterMs: deps.settings.sleepAfterMs,
  });
  if (ensured.status === "refused") {
    throw new DomainError("workspace.wake_refused", `${ensured.message} Nothing is lost; ask again later.`, {
      reason: "sandbox_max",
      limit: ensured.limit,
      used: ensured.used,
    });
  }
  await deps.publishSandboxes();
  return ensured.sandbox;
}

async function finishWaking(
  deps: WorkspaceDeps,
  run: RunRecord,
  sandbox: SandboxRecord,
  restored: Restoration | undefined,
): Promise<void> {
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const isStillOurs = await runs.move(
      run.id,
      ["asleep"],
      {
        state: "open",
        stateDeadlineAt: null,
        lastActivityAt: now,
        runtimeId: sandbox.runtimeId,
        runtime: sandbox.runtime,
        imageDigest: sandbox.imageDigest,
        restoreCount: run.restoreCount + (restored === undefined ? 0 : 1),
      },
      { sessionId: run.sessionId },
    );
    if (!isStillOurs)
      throw new DomainError("run.busy", "The Run was ended, or woken by somebody else. Ask again.");
    const opening = await deps.meter.open(tx, { sessionId: run.sessionId ?? "", now });
    if (opening.status === "no_room") {
      throw new DomainError(
        "workspace.wake_refused",
        "The month ended and the new one has no room. Nothing is lost; ask again later.",
        {
          reason: "meter_exhausted",
        },
      );
    }
    if (restored !== undefined)
      await runs.appendEvent(run.id, { kind: "restored", at: now, data: { ...restored } });
    else
      await runs.appendEvent(run.id, {
        kind: "note",
        at: now,
        data: { text: "The workspace woke; its files were still there." },
      });
  });
}

/** Gives back what a wake reserved. Of a Run that ended while it woke nothing may be left in its new Sandbox. */
async function undoWaking(deps: WorkspaceDeps, run: RunRecord, sessionId: string): Promise<void> {
  await giveBackWake(deps, run, sessionId);
  const now = await deps.stores.runs.find(run.id, everyRun);
  if (now !== null && isEnded(now.state)) await removeTraces(deps, run);
}

/** Makes the Run as asleep as it was before this wake; a wake that came to its end, or another one, is left alone. */
export async function giveBackWake(deps: WorkspaceDeps, run: RunRecord, sessionId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const isStillOurs = await deps
      .storesIn(tx)
      .runs.move(run.id, ["asleep"], { sessionId: null, stateDeadlineAt: null }, { sessionId });
    if (isStillOurs) await deps.meter.release(tx, { sessionId, now });
  });
}

import type { Caller } from "../../access/types";
import { scopeOf } from "../../access/scope";
import { describeError, DomainError } from "../../platform/errors";
import type { SandboxRecord } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { isEnded } from "../runs/state";
import { placeOf, sandboxIdOf } from "../runs/rules";
import type { RunScope } from "../runs/store";
import type { Restoration, RunPlace, RunRecord } from "../runs/types";
import { fallAsleep } from "./asleep";
import { restoreWorkspace } from "./restore";

/** How long a wake may take; after that the sweep takes back what it holds. */
const wakeDeadlineMs = 5 * 60_000;
/** How long a call waits for a wake that another call or process has begun. */
const joinDeadlineMs = 150_000;
const joinPollMs = 100;

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
}

/** An agent reaches the Runs that its own token opened; people reach all. */
export function runScopeOf(caller: Caller): RunScope {
  return { ...scopeOf(caller), tokenId: caller.role === "agent" ? caller.tokenId : null };
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

  return {
    enter: async (caller, runId) => {
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
    },
  };
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
  if (sandbox?.state !== "live" || sandbox.runtimeId !== run.runtimeId) {
    await fallAsleep(deps, run, { why: describeLoss(sandbox) });
    return false;
  }
  const isAwake = await deps.stores.runs.move(run.id, ["open"], { lastActivityAt: deps.clock.now() });
  if (isAwake) {
    await deps.sandboxes.touch({ sandboxId: sandbox.sandboxId, sleepAfterMs: deps.settings.sleepAfterMs });
  }
  return isAwake;
}

export function describeLoss(sandbox: SandboxRecord | null): string {
  return sandbox?.endReason === undefined || sandbox.endReason === null
    ? "its Sandbox is gone"
    : `its Sandbox is gone (${sandbox.endReason.replaceAll("_", " ")})`;
}

/** Opens a new session, makes the directory anew when it is gone, and only then says that the Run is open. */
async function wake(deps: WorkspaceDeps, run: RunRecord): Promise<Restoration | undefined> {
  const sessionId = deps.ids.uuid();
  if (!(await reserve(deps, run, sessionId))) return undefined;
  try {
    const sandbox = await ensureSandbox(deps, run);
    const restored =
      sandbox.runtimeId === run.runtimeId ? undefined : await restoreWorkspace(deps, run, sandbox);
    await finishWaking(deps, { ...run, sessionId }, sandbox, restored);
    return restored;
  } catch (error) {
    await giveBack(deps, run, sessionId).catch((cause: unknown) => {
      deps.logger.warn(
        { runId: run.id, reason: describeError(cause) },
        "a wake that broke could not be undone yet",
      );
    });
    throw error;
  }
}

/** False when somebody else began to wake it. */
async function reserve(deps: WorkspaceDeps, run: RunRecord, sessionId: string): Promise<boolean> {
  const { settings, clock } = deps;
  const now = clock.now();
  return deps.transaction(async (tx) => {
    const stateDeadlineAt = new Date(now.getTime() + wakeDeadlineMs);
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
    if (!isStillOurs) throw new DomainError("run.ended", "The Run was ended while it woke.");
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

async function giveBack(deps: WorkspaceDeps, run: RunRecord, sessionId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const isStillOurs = await deps
      .storesIn(tx)
      .runs.move(run.id, ["asleep"], { sessionId: null, stateDeadlineAt: null }, { sessionId });
    if (isStillOurs) await deps.meter.release(tx, { sessionId, now });
  });
}

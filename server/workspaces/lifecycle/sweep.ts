import { describeError } from "../../platform/errors";
import type { SandboxList } from "../../sandboxd/types";
import type { CommandFollower } from "../commands/follower";
import { resumeCompletion } from "../completion/complete";
import type { WorkspaceDeps } from "../deps";
import { sandboxIdOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";
import { fallAsleep } from "./asleep";
import { describeLoss } from "./awake";
import { discard } from "./discard";
import { cleanUpQuietly, endRun } from "./end";

/**
 * Compares every live Run with what sandboxd reports and with the clock, and drives what is half done to where it can
 * stand. Rows are intentions; Sandboxes and forks are facts. Called every few seconds; each part can be repeated, and a
 * fault in one Run keeps no other from being looked at.
 */
export async function sweepRuns(deps: WorkspaceDeps, follower: CommandFollower): Promise<void> {
  const sandboxes = await deps.sandboxes.list().catch((error: unknown) => {
    deps.logger.warn(
      { reason: describeError(error) },
      "sandboxd does not answer; Runs are compared with it later",
    );
    return null;
  });
  for (const run of await deps.stores.runs.listLive()) {
    try {
      await sweepRun(deps, follower, run, sandboxes);
    } catch (error) {
      deps.logger.warn(
        { runId: run.id, state: run.state, reason: describeError(error) },
        "a Run could not be swept",
      );
    }
  }
  for (const run of await deps.stores.runs.listUncleaned()) await cleanUpQuietly(deps, run);
}

async function sweepRun(
  deps: WorkspaceDeps,
  follower: CommandFollower,
  run: RunRecord,
  sandboxes: SandboxList | null,
): Promise<void> {
  if (await endIfOver(deps, run)) return;
  const isOverdue = run.stateDeadlineAt !== null && run.stateDeadlineAt < deps.clock.now();
  switch (run.state) {
    case "opening":
      if (isOverdue) await discard(deps, run);
      return;
    case "completing":
      if (isOverdue) await resumeCompletion(deps, run);
      else await meterRun(deps, run);
      return;
    case "asleep":
      if (isOverdue) await giveUpWaking(deps, run);
      return;
    case "open":
      await sweepOpen(deps, follower, run, sandboxes);
      return;
    case "proposed":
    case "no_changes":
    case "failed":
    case "closed":
      return;
  }
}

/** Archived Projects and old or forgotten Runs end. A running command is no forgotten Run, but an old one all the same. */
async function endIfOver(deps: WorkspaceDeps, run: RunRecord): Promise<boolean> {
  const { settings, clock } = deps;
  const nowMs = clock.now().getTime();
  const project = await deps.projects.findProject(run.projectId, { projectId: null, changeId: null });
  if (project?.state === "archived") {
    await endRun(deps, run, { state: "closed", kind: "archived", reason: "its Project was archived" });
    return true;
  }
  if (run.state !== "open" && run.state !== "asleep") return false;
  if (nowMs - run.openedAt.getTime() > settings.lifetimeMsMax) {
    const reason = `older than ${settings.lifetimeMsMax / 1000} s`;
    await endRun(deps, run, { state: "failed", kind: "expired", reason });
    return true;
  }
  if (nowMs - run.lastActivityAt.getTime() <= settings.expireMs) return false;
  if ((await deps.stores.commands.listRunning(run.id)).length > 0) return false;
  const reason = `no call for ${settings.expireMs / 1000} s`;
  await endRun(deps, run, { state: "failed", kind: "expired", reason });
  return true;
}

async function sweepOpen(
  deps: WorkspaceDeps,
  follower: CommandFollower,
  run: RunRecord,
  sandboxes: SandboxList | null,
): Promise<void> {
  const running = await deps.stores.commands.listRunning(run.id);
  if (sandboxes !== null) {
    const sandboxId = sandboxIdOf(run.projectId);
    const live = sandboxes.live.find(
      (sandbox) => sandbox.sandboxId === sandboxId && sandbox.state === "live",
    );
    if (live?.runtimeId !== run.runtimeId) {
      const gone = sandboxes.gone.find((sandbox) => sandbox.runtimeId === run.runtimeId) ?? null;
      await fallAsleep(deps, run, { why: describeLoss(gone) });
      return;
    }
    for (const { id } of running) await follower.adopt(run, id);
  }
  const idleMs = deps.clock.now().getTime() - run.lastActivityAt.getTime();
  if (running.length === 0 && idleMs > deps.settings.sleepAfterMs) {
    await fallAsleep(deps, run, { why: `no call for ${Math.round(deps.settings.sleepAfterMs / 1000)} s` });
    return;
  }
  await meterRun(deps, run);
}

/** Keeps the reservation ahead of the time that passes; without room the Run is put to sleep while it can still be paid for. */
async function meterRun(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const { sessionId } = run;
  if (sessionId === null) return;
  const extension = await deps.transaction((tx) =>
    deps.meter.extend(tx, { sessionId, now: deps.clock.now(), stepSeconds: deps.settings.reserveSeconds }),
  );
  if (extension.status === "no_room" && run.state === "open") {
    // Its time up to now is what it is charged: the command that is interrupted was using it.
    const now = deps.clock.now();
    await deps.stores.runs.move(run.id, ["open"], { lastActivityAt: now });
    await fallAsleep(
      deps,
      { ...run, lastActivityAt: now },
      { why: "the meter has no room for more", eventType: "workspace.interrupted" },
    );
  }
}

/** A wake that nobody finished: what it reserved is given back, and the next call wakes the Run anew. */
async function giveUpWaking(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const { sessionId } = run;
  if (sessionId === null) return;
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const patch = { sessionId: null, stateDeadlineAt: null };
    if (!(await deps.storesIn(tx).runs.move(run.id, ["asleep"], patch, { sessionId }))) return;
    await deps.meter.release(tx, { sessionId, now });
  });
}

import { describeError } from "../../platform/errors";
import type { SandboxList } from "../../sandboxd/types";
import type { CommandFollower } from "../commands/follower";
import { resumeCompletion } from "../completion/complete";
import type { WorkspaceDeps } from "../deps";
import { sandboxIdOf } from "../runs/rules";
import { isEnded } from "../runs/state";
import { everyRun } from "../runs/store";
import type { RunRecord } from "../runs/types";
import { fallAsleep } from "./asleep";
import { describeLoss, giveBackWake } from "./awake";
import { discard } from "./discard";
import { cleanUpQuietly, endRun } from "./end";

/** Runs that are looked at at once: each may wait for a Sandbox or the git service. */
const lanes = 4;
/** After so long a sweep answers, and what is slow goes on beside the next one. */
const patienceMs = 15_000;

/**
 * Compares every live Run with what sandboxd reports and with the clock, and drives what is half done to where it can
 * stand. Rows are intentions; Sandboxes and forks are facts. Called every few seconds; each part can be repeated, and a
 * fault in one Run, or one that takes long, keeps no other from being looked at.
 */
export function createSweep(deps: WorkspaceDeps, follower: CommandFollower): () => Promise<void> {
  const underWay = new Set<string>();
  return async () => {
    const done = new AbortController();
    const patience = deps.clock.sleep(patienceMs, done.signal).catch(() => undefined);
    await Promise.race([sweepAll(deps, follower, underWay).finally(() => done.abort()), patience]);
  };
}

async function sweepAll(
  deps: WorkspaceDeps,
  follower: CommandFollower,
  underWay: Set<string>,
): Promise<void> {
  const sandboxes = await deps.sandboxes.list().catch((error: unknown) => {
    deps.logger.warn(
      { reason: describeError(error) },
      "sandboxd does not answer; Runs are compared with it later",
    );
    return null;
  });
  await followCommands(deps, follower);
  const runs = [...(await deps.stores.runs.listLive()), ...(await deps.stores.runs.listUncleaned())];
  const waiting = runs.filter(({ id }) => !underWay.has(id));
  const work = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      // Another sweep may have taken it since.
      if (underWay.has(run.id)) continue;
      underWay.add(run.id);
      try {
        if (isEnded(run.state)) await cleanUpQuietly(deps, run);
        else await sweepRun(deps, run, sandboxes);
      } catch (error) {
        deps.logger.warn(
          { runId: run.id, state: run.state, reason: describeError(error) },
          "a Run could not be swept",
        );
      } finally {
        underWay.delete(run.id);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
}

/** Takes up commands that nobody follows any more, whatever has become of their Runs: each gets its end written. */
async function followCommands(deps: WorkspaceDeps, follower: CommandFollower): Promise<void> {
  for (const { id, runId } of await deps.stores.commands.listRunning()) {
    const run = await deps.stores.runs.find(runId, everyRun);
    if (run !== null) await follower.adopt(run, id);
  }
}

async function sweepRun(deps: WorkspaceDeps, run: RunRecord, sandboxes: SandboxList | null): Promise<void> {
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
      if (isOverdue && run.sessionId !== null) await giveBackWake(deps, run, run.sessionId);
      return;
    case "open":
      await sweepOpen(deps, run, sandboxes);
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

/** False too for one that starts: sandboxd may just be taking it over after a restart. */
function isLost(run: RunRecord, { live }: SandboxList): boolean {
  const sandboxId = sandboxIdOf(run.projectId);
  const sandbox = live.find((one) => one.sandboxId === sandboxId);
  if (sandbox?.state === "starting") return false;
  return sandbox?.state !== "live" || sandbox.runtimeId !== run.runtimeId;
}

async function sweepOpen(deps: WorkspaceDeps, run: RunRecord, sandboxes: SandboxList | null): Promise<void> {
  if (sandboxes !== null && isLost(run, sandboxes)) {
    const gone = sandboxes.gone.find((sandbox) => sandbox.runtimeId === run.runtimeId) ?? null;
    await fallAsleep(deps, run, { why: describeLoss(gone) });
    return;
  }
  const running = await deps.stores.commands.listRunning(run.id);
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
    const why = "the meter has no room for more";
    await fallAsleep(deps, run, { why, eventType: "workspace.interrupted" });
  }
}

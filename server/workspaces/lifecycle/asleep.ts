import { describeError } from "../../platform/errors";
import type { WorkspaceDeps } from "../deps";
import { isSandboxGone, placeOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";

/**
 * Puts an open Run to sleep: its session settles up to its last activity, which a running command is up to now; its
 * commands end as `interrupted`, its slot stays with it. False when it was not open any more, or was used meanwhile. What
 * tools wrote is kept, whatever becomes of the Sandbox.
 */
export async function fallAsleep(
  deps: WorkspaceDeps,
  run: RunRecord,
  cause: { why: string; eventType?: "workspace.slept" | "workspace.interrupted" },
): Promise<boolean> {
  const now = deps.clock.now();
  const slept = await deps.transaction(async (tx) => {
    const { runs, commands } = deps.storesIn(tx);
    const isWorking = (await commands.listRunning(run.id)).length > 0;
    const lastActivityAt = isWorking ? now : run.lastActivityAt;
    const isStillOpen = await runs.move(
      run.id,
      ["open"],
      { state: "asleep", sessionId: null, stateDeadlineAt: null, lastActivityAt },
      { lastActivityAt: run.lastActivityAt },
    );
    if (!isStillOpen) return false;
    if (run.sessionId !== null) {
      await deps.meter.settle(tx, { sessionId: run.sessionId, now, idleSince: lastActivityAt });
    }
    await runs.appendEvent(run.id, {
      kind: "note",
      at: now,
      data: { text: `The workspace went to sleep: ${cause.why}.` },
    });
    await deps.events.append(tx, {
      type: cause.eventType ?? "workspace.slept",
      at: now,
      projectId: run.projectId,
      changeId: run.changeId,
      data: { runId: run.id, why: cause.why },
    });
    return true;
  });
  if (slept) await stopCommands(deps, run);
  return slept;
}

/** Ends whatever the Run still runs. A Sandbox that is gone has ended it already. */
export async function stopCommands(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const { sandboxId } = placeOf(run);
  for (const { id } of await deps.stores.commands.listRunning(run.id)) {
    try {
      await deps.sandboxes.stopCommand({ sandboxId, commandId: id });
    } catch (error) {
      if (isSandboxGone(error)) return;
      deps.logger.warn(
        { runId: run.id, commandId: id, reason: describeError(error) },
        "a command could not be stopped",
      );
    }
  }
}

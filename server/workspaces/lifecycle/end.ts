import { describeError } from "../../platform/errors";
import type { WorkspaceDeps } from "../deps";
import { liveStates } from "../runs/state";
import { everyRun } from "../runs/store";
import type { RunEndKind, RunRecord, RunState } from "../runs/types";
import { removeTraces } from "./discard";

/** How a Run ends without a proposal. */
export interface RunEnd {
  state: Extract<RunState, "failed" | "closed">;
  kind: RunEndKind;
  reason: string | null;
}

/**
 * Ends a live Run: settles, frees the slot, and then ends its processes and tokens and removes directory and fork. The
 * first end stands; every later one only makes sure that nothing of the Run is left.
 * Errors: `sandbox.engine_unavailable`, `git.unavailable` when that could not be made sure: the Run has ended, ask again.
 */
export async function endRun(deps: WorkspaceDeps, run: RunRecord, end: RunEnd): Promise<void> {
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const isFirst = await runs.move(run.id, liveStates, {
      state: end.state,
      endKind: end.kind,
      endReason: end.reason,
      endedAt: now,
      stateDeadlineAt: null,
    });
    if (!isFirst) return;
    // The slot before the meter, as an open takes them: two transactions never wait for each other crosswise.
    await runs.freeSlot(run.changeId);
    await settleEnd(deps, tx, run.id, now);
    await runs.appendEvent(run.id, {
      kind: "ended",
      at: now,
      data: { state: end.state, kind: end.kind, reason: end.reason },
    });
    await deps.events.append(tx, {
      type: "workspace.closed",
      at: now,
      projectId: run.projectId,
      changeId: run.changeId,
      data: { runId: run.id, taskId: run.taskId, state: end.state, kind: end.kind },
    });
  });
  await cleanUp(deps, run);
}

/** Settles whatever session the Run holds now: it may have woken since its record was read. */
export async function settleEnd(
  deps: WorkspaceDeps,
  tx: Parameters<WorkspaceDeps["storesIn"]>[0],
  runId: string,
  now: Date,
): Promise<void> {
  const { runs } = deps.storesIn(tx);
  const current = await runs.find(runId, everyRun);
  if (current?.sessionId === null || current?.sessionId === undefined) return;
  await deps.meter.settle(tx, { sessionId: current.sessionId, now, idleSince: null });
}

/** Makes sure that nothing of an ended Run is left, and remembers it. */
export async function cleanUp(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  await removeTraces(deps, run);
  await deps.stores.runs.move(run.id, ["proposed", "no_changes", "failed", "closed"], {
    forkRemovedAt: deps.clock.now(),
  });
}

/** The same for the sweep: what cannot be done now is done at the next one. */
export async function cleanUpQuietly(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  try {
    await cleanUp(deps, run);
  } catch (error) {
    deps.logger.warn(
      { runId: run.id, reason: describeError(error) },
      "an ended Run could not be cleaned up yet",
    );
  }
}

import type { WorkspaceDeps } from "../deps";
import { forkOf, placeOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";

/**
 * Undoes an open that did not come about: fork, directory, reservation, slot and Run, in that order, so that what is
 * left at any moment can be found by the Run's row and undone again. Repeating it changes nothing.
 */
export async function discard(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  await removeTraces(deps, run);
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const isStillOurs = await runs.move(run.id, ["opening"], { stateDeadlineAt: now });
    if (!isStillOurs) return;
    if (run.sessionId !== null) await deps.meter.release(tx, { sessionId: run.sessionId, now });
    await runs.freeSlot(run.changeId);
    await runs.remove(run.id);
  });
}

/** Ends the Run's processes and tokens and removes its directory and its fork. What is not there is done. */
export async function removeTraces(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const fork = forkOf(run);
  await deps.git.revokeGrants(fork);
  const place = placeOf(run);
  if ((await deps.sandboxes.find(place.sandboxId))?.state === "live") await deps.sandboxes.removeRun(place);
  await deps.git.removeFork(fork);
}

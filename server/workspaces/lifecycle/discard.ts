import type { WorkspaceDeps } from "../deps";
import { forkOf, isSandboxGone, placeOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";

/**
 * Undoes an open that did not come about: fork, directory, reservation, slot and Run, in that order, so that what is
 * left at any moment can be found by the Run's row and undone again. Repeating it changes nothing, and a Run that opened
 * after all is left alone.
 */
export async function discard(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const now = deps.clock.now();
  // From here on the one that opens it cannot finish any more, and the next sweep takes up what is not done here.
  if (!(await deps.stores.runs.move(run.id, ["opening"], { stateDeadlineAt: now }))) return;
  await removeTraces(deps, run);
  await deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const isStillOurs = await runs.move(run.id, ["opening"], { stateDeadlineAt: now });
    if (!isStillOurs) return;
    // The slot before the meter, as an open takes them: two transactions never wait for each other crosswise.
    await runs.freeSlot(run.changeId);
    if (run.sessionId !== null) await deps.meter.release(tx, { sessionId: run.sessionId, now });
    await runs.remove(run.id);
  });
}

/**
 * Ends the Run's tokens and processes and removes its directory and its fork. What is not there is done. Each part is
 * tried whatever became of the others: processes die while the git service is away, tokens while sandboxd is.
 */
export async function removeTraces(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const fork = forkOf(run);
  const [revoked] = await Promise.allSettled([deps.git.revokeGrants(fork)]);
  const [directory] = await Promise.allSettled([removeDirectory(deps, run)]);
  if (revoked.status === "rejected") throw revoked.reason;
  await deps.git.removeFork(fork);
  if (directory.status === "rejected") throw directory.reason;
}

async function removeDirectory(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const place = placeOf(run);
  const sandbox = await deps.sandboxes.find(place.sandboxId);
  // One that starts may be one that sandboxd takes over after a restart, with the Run's processes in it.
  if (sandbox?.state !== "live" && sandbox?.state !== "starting") return;
  try {
    await deps.sandboxes.removeRun(place);
  } catch (error) {
    if (!isSandboxGone(error)) throw error;
  }
}

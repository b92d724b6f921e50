import { describeError } from "../../platform/errors";
import type { WorkspaceDeps } from "../deps";
import type { RunRecord, RunState } from "../runs/types";

/** Whoever drives a Run out of a state says so again and again; when that stops, somebody else may go on. */
const leaseMs = 30_000;
const renewMs = 10_000;

/** The right to drive one Run out of the state that it is in. */
export interface Lease {
  /**
   * Ends the renewals and gives what the Run's deadline says if nobody took the Run over meanwhile: a change that is made
   * only if it still does is the owner's.
   */
  end(): Promise<Date>;
}

/** Until when a lease that is taken now holds. */
export function leaseUntil(deps: Pick<WorkspaceDeps, "clock">): Date {
  return new Date(deps.clock.now().getTime() + leaseMs);
}

/** Keeps a lease that the Run's row holds since the caller wrote its `stateDeadlineAt`. */
export function keepLease(
  deps: WorkspaceDeps,
  run: Pick<RunRecord, "id">,
  held: { state: RunState; until: Date },
): Lease {
  let { until } = held;
  let underWay: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    const next = leaseUntil(deps);
    const isOurs = await deps.stores.runs.move(
      run.id,
      [held.state],
      { stateDeadlineAt: next },
      { stateDeadlineAt: until },
    );
    if (isOurs) until = next;
  };
  const stop = deps.clock.every(renewMs, () => {
    underWay = renew().catch((error: unknown) => {
      deps.logger.warn({ runId: run.id, reason: describeError(error) }, "a lease could not be renewed");
    });
    return underWay;
  });
  return {
    end: async () => {
      stop();
      await underWay;
      return until;
    },
  };
}

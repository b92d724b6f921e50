import { describeError, DomainError } from "../platform/errors";
import { removeSurplusNetworks, settleNetworks, type NetworkDeps } from "./network-settle";

/** The internal networks, numbered from 1. Each belongs to at most one container at a time. */
export interface SandboxNetworks {
  /** Takes the lowest free number. Errors: `sandbox.start_failed` when all are taken. */
  acquire(): number;
  /** Marks the number of a container that was found on the engine. */
  hold(networkNumber: number): void;
  release(networkNumber: number): void;
  /** When it answers, the network stands as it should, with git and egress on it as far as these exist. */
  prepare(networkNumber: number): Promise<void>;
  /** Brings every network of the pool that no container holds into its proper form, and services back onto all. */
  reconcile(): Promise<void>;
  /** What is not as it should be, for the operator; empty when all is well. */
  faults(): readonly string[];
}

export function createSandboxNetworks(deps: NetworkDeps): SandboxNetworks {
  const poolSize = deps.settings.SANDBOX_MAX + deps.settings.SANDBOX_WARM;
  /** By how many containers each number is held: one that goes and one that only seemed to be there may overlap. */
  const holders = new Map<number, number>();
  /** One change at a time: two searches for a free subnet would find the same one. */
  let changes: Promise<unknown> = Promise.resolve();
  let found: readonly string[] = [];

  function hold(networkNumber: number): void {
    if (!isNumber(networkNumber)) return;
    holders.set(networkNumber, (holders.get(networkNumber) ?? 0) + 1);
  }

  function inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const turn = changes.then(change);
    changes = turn.catch(() => undefined);
    return turn;
  }

  return {
    acquire: () => {
      for (let networkNumber = 1; networkNumber <= poolSize; networkNumber++) {
        if (holders.has(networkNumber)) continue;
        hold(networkNumber);
        return networkNumber;
      }
      throw new DomainError(
        "sandbox.start_failed",
        "Every sandbox network is held by a container that is not gone yet. Try again.",
      );
    },
    hold,
    release: (networkNumber) => {
      const left = (holders.get(networkNumber) ?? 0) - 1;
      if (left > 0) holders.set(networkNumber, left);
      else holders.delete(networkNumber);
    },
    // Its one holder is not on it yet, so it may be replaced.
    prepare: async (networkNumber) =>
      void (await inTurn(() => settleNetworks(deps, [networkNumber], () => true))),
    reconcile: async () => {
      const pool = Array.from({ length: poolSize }, (_, index) => index + 1);
      const all = [...new Set([...pool, ...holders.keys()])];
      try {
        found = await inTurn(async () => {
          await removeSurplusNetworks(deps, (one) => all.includes(one));
          return settleNetworks(deps, all, (one) => !holders.has(one));
        });
      } catch (error) {
        found = [`the networks could not be checked: ${describeError(error)}`];
        throw error;
      }
    },
    faults: () => found,
  };
}

/** A container without a proper label holds no network of ours. */
function isNumber(networkNumber: number): boolean {
  return Number.isInteger(networkNumber) && networkNumber > 0;
}

import type { Clock } from "../platform/clock";
import type { Logger } from "../platform/logger";
import type { Lifecycle } from "./lifecycle";
import { observe } from "./records";
import type { Slot } from "./slot";

/** Looks at a Sandbox without an answer, after which it counts as lost. */
const silentLooksMax = 3;

/** Looks at Sandboxes in turn and ends those that are idle or do not answer any more. */
export interface IdleWatch {
  /** Never rejects. A look at a slot that is under way is not joined by another. */
  look: (slot: Slot) => Promise<void>;
  /** Milliseconds until the next Sandbox is idle if nothing happens; null when none is known to become so. */
  nextInMs: () => number | null;
}

export function createIdleWatch(deps: { lifecycle: Lifecycle; clock: Clock; logger: Logger }): IdleWatch {
  const { lifecycle, clock, logger } = deps;
  const silentLooks = new WeakMap<Slot, number>();
  const looking = new WeakSet<Slot>();

  async function look(slot: Slot): Promise<void> {
    const { container } = slot;
    if (slot.state !== "live" || container === null || looking.has(slot)) return;
    looking.add(slot);
    const askedAtMs = clock.monotonicMs();
    try {
      const status = await container.link.status();
      silentLooks.delete(slot);
      slot.observed = observe(slot.observed, status, clock.monotonicMs());
      const isIdle = status.idleRemovalInMs <= 0 && status.runningCommands === 0;
      // A call that came while the answer was on its way is not in it.
      const wasCalled = slot.callsUnderWay > 0 || slot.lastCallAtMs >= askedAtMs;
      if (isIdle && !wasCalled) {
        lifecycle.end(slot, { reason: "idle", detail: "Nothing happened in it for the idle time." });
      }
    } catch (error) {
      await noteSilence(slot, error);
    } finally {
      looking.delete(slot);
    }
  }

  async function noteSilence(slot: Slot, error: unknown): Promise<void> {
    const looks = (silentLooks.get(slot) ?? 0) + 1;
    silentLooks.set(slot, looks);
    logger.warn({ sandboxId: slot.sandboxId, looks, err: error }, "a supervisor did not answer");
    // Without the engine nothing can be said about the Sandbox.
    const isRunning = await slot.container?.link.check().then(
      () => true,
      () => false,
    );
    if (isRunning === true && looks >= silentLooksMax) {
      lifecycle.end(slot, {
        reason: "lost",
        detail: "The supervisor in the sandbox does not answer any more.",
      });
    }
  }

  return {
    look,
    nextInMs: () => {
      const waits = lifecycle
        .slots()
        .flatMap(({ state, observed }) =>
          state === "live" && observed !== null && observed.status.runningCommands === 0
            ? [observed.atMs + observed.status.idleRemovalInMs - clock.monotonicMs()]
            : [],
        )
        .filter((waitMs) => waitMs > 0);
      return waits.length === 0 ? null : Math.min(...waits);
    },
  };
}

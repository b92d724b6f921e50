import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import { describeError } from "../platform/errors";
import type { Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import type { Containers } from "./containers";
import type { SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import { createIdleWatch } from "./idle";
import type { Lifecycle } from "./lifecycle";
import type { SandboxNetworks } from "./networks";
import { repairContainers, type KnownContainers } from "./repair";
import { takeOverContainers } from "./take-over";
import type { WarmPool } from "./warm-pool";

const sweepEveryMs = 5_000;
/** A supervisor that takes longer is not waited for; its look goes on beside the sweep. */
const lookPatienceMs = 1_000;
const knowPatienceMs = 10_000;

/** Drives what is known here and what the engine has towards each other, at start and at least every 5 s. */
export interface SandboxJobs {
  start: () => void;
  stop: () => void;
  /** Resolves once the engine's containers were read; rejects with why they could not be. */
  whenKnown: () => Promise<void>;
}

export function createSandboxJobs(deps: {
  engine: SandboxEngine;
  containers: Containers;
  networks: SandboxNetworks;
  warm: WarmPool;
  lifecycle: Lifecycle;
  settings: Settings;
  instance: Instance;
  clock: Clock;
  logger: Logger;
}): SandboxJobs {
  const { engine, networks, warm, lifecycle, clock, logger } = deps;
  const idleWatch = createIdleWatch(deps);
  const stopping = new AbortController();
  let isKnown = false;
  let comparing: Promise<void> | null = null;

  async function compare(): Promise<void> {
    const known: KnownContainers = [
      ...lifecycle
        .slots()
        .flatMap((slot) => (slot.container === null ? [] : [[slot.container, slot] as const])),
      ...warm.list().map((container) => [container, null] as const),
    ];
    const list = await engine.listContainers();
    await takeOverContainers(deps, list);
    isKnown = true;
    await repairContainers(deps, list, known);
  }

  function compareOnce(): Promise<void> {
    comparing ??= compare().finally(() => (comparing = null));
    return comparing;
  }

  async function sweep(): Promise<void> {
    try {
      await compareOnce();
      await networks.reconcile();
      warm.refill();
    } catch (error) {
      logger.warn({ reason: describeError(error) }, "a sweep could not be finished");
    }
    await atMost(clock, lookPatienceMs, Promise.all(lifecycle.slots().map(idleWatch.look)));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep();
      const waitMs = Math.min(sweepEveryMs, idleWatch.nextInMs() ?? sweepEveryMs);
      await clock.sleep(Math.max(waitMs, 50), stopping.signal).catch(() => undefined);
    }
  }

  return {
    start: () => void run(),
    stop: () => stopping.abort(new Error("sandboxd is stopping")),
    whenKnown: async () => {
      if (isKnown) return;
      try {
        await atMost(clock, knowPatienceMs, compareOnce());
      } catch (error) {
        throw describeEngineFailure(error, "The containers on the engine could not be read.");
      }
      if (!isKnown)
        throw describeEngineFailure(new Error("They are still being read."), "sandboxd is not ready.");
    },
  };
}

/** Waits for the work, but not longer than this; the work goes on. */
async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const overdue = clock.sleep(ms, done.signal).catch(() => undefined);
  await Promise.race([work, overdue]).finally(() => done.abort());
}

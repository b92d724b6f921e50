import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import { describeError } from "../platform/errors";
import { purposeLabel, sandboxContainerName, type Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { containerBody, networkNumberLabel, roleOfName, settingsLabel } from "./container-spec";
import type { Containers, LiveContainer } from "./containers";
import { isEngineError, type ContainerSummary, type SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import { traitsOf } from "./engine-traits";
import type { Lifecycle, Slot } from "./lifecycle";
import type { SandboxNetworks } from "./networks";
import { observe } from "./records";
import { parseSandboxId } from "./sandbox-id";
import type { WarmPool } from "./warm-pool";

const sweepEveryMs = 5_000;
/** Looks at a Sandbox without an answer, after which it counts as lost. */
const silentLooksMax = 3;
const knowPatienceMs = 10_000;

/** Drives what is known here and what the engine has towards each other, at start and every 5 s. */
export interface SandboxJobs {
  start(): void;
  stop(): void;
  /** Resolves once the engine's containers were read; rejects with why they could not be. */
  whenKnown(): Promise<void>;
  /** The last sweep's failure, for the operator. */
  readonly fault: string | null;
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
  const { engine, containers, networks, warm, lifecycle, settings, instance, clock, logger } = deps;
  const silentLooks = new WeakMap<Slot, number>();
  const stopping = new AbortController();
  let isKnown = false;
  let knowing: Promise<void> | null = null;
  let fault: string | null = null;

  /** Containers on the engine that nobody here has to do with: taken over, or removed. */
  async function takeOver(list: readonly ContainerSummary[]): Promise<void> {
    const strangers = list.filter(
      (one) => one.labels[purposeLabel] === "sandbox" && !containers.isTracked(one),
    );
    if (strangers.length === 0) return;
    const wantedSettings = await currentSettingsLabel();
    for (const stranger of strangers) {
      const role = roleOfName(instance, stranger.name);
      const sandboxId = role?.kind === "project" ? parseSandboxId(role.sandboxId) : null;
      const facts = stranger.state === "running" ? await engine.findContainer(stranger.id) : null;
      const isTaken = sandboxId !== null && lifecycle.slots().some((slot) => slot.sandboxId === sandboxId);
      if (containers.isTracked(stranger)) continue;
      if (facts?.state === "running" && sandboxId !== null && !isTaken) lifecycle.adopt(sandboxId, facts);
      else if (
        facts?.state === "running" &&
        role?.kind === "warm" &&
        isCurrent(stranger, wantedSettings) &&
        warm.hasRoom
      ) {
        warm.add(containers.adopt(facts));
      } else discard(stranger);
    }
  }

  function isCurrent(container: ContainerSummary, wantedSettings: string | null): boolean {
    return wantedSettings !== null && container.labels[settingsLabel] === wantedSettings;
  }

  /** Covers image and settings: the hash is over both. */
  async function currentSettingsLabel(): Promise<string | null> {
    const [imageId, facts] = await Promise.all([engine.findImage(settings.SANDBOX_IMAGE), engine.describe()]);
    if (imageId === null) return null;
    const body = containerBody({ settings, instance, imageId, traits: traitsOf(facts), networkNumber: 1 });
    return body.Labels[settingsLabel] ?? null;
  }

  function discard(container: ContainerSummary): void {
    logger.info(
      { containerId: container.id, name: container.name, state: container.state },
      "removes a container that nobody uses",
    );
    const networkNumber = Number(container.labels[networkNumberLabel]);
    networks.hold(networkNumber);
    containers.remove({ id: container.id, networkNumber }).catch((error: unknown) => {
      logger.warn({ err: error }, "a removal was left to the next start");
    });
  }

  /** Ours that were changed from outside: renamed back, or ended. */
  async function repair(
    list: readonly ContainerSummary[],
    before: readonly (readonly [LiveContainer, Slot | null])[],
  ): Promise<void> {
    for (const [container, slot] of before) {
      const listed = list.find((one) => one.id === container.id);
      if (listed === undefined || listed.state !== "running") {
        await container.link.check().catch(() => undefined);
        continue;
      }
      const wanted = slot === null ? null : sandboxContainerName(instance, slot.sandboxId);
      if (wanted === null || slot?.state !== "live" || listed.name === wanted) continue;
      logger.warn({ sandboxId: slot.sandboxId, name: listed.name }, "a container was renamed from outside");
      await engine.renameContainer(container.id, wanted).catch((error: unknown) => {
        if (!isEngineError(error, "conflict")) throw error;
        void lifecycle.end(slot, {
          reason: "drifted",
          detail: "Another container holds the sandbox's name.",
        });
      });
    }
  }

  async function removeIdle(slot: Slot): Promise<void> {
    const { container } = slot;
    if (slot.state !== "live" || container === null) return;
    const askedAtMs = clock.monotonicMs();
    try {
      const status = await container.link.status();
      silentLooks.delete(slot);
      slot.observed = observe(slot.observed, status, clock.monotonicMs());
      const isIdle = status.idleRemovalInMs <= 0 && status.runningCommands === 0;
      // A call that came while the answer was on its way is not in it.
      const wasCalled = slot.callsUnderWay > 0 || slot.lastCallAtMs >= askedAtMs;
      if (isIdle && !wasCalled)
        void lifecycle.end(slot, { reason: "idle", detail: "Nothing happened in it for the idle time." });
    } catch (error) {
      const looks = (silentLooks.get(slot) ?? 0) + 1;
      silentLooks.set(slot, looks);
      logger.warn({ sandboxId: slot.sandboxId, looks, err: error }, "a supervisor did not answer");
      // Without the engine nothing can be said about the Sandbox.
      const isRunning = await container.link.check().then(
        () => true,
        () => false,
      );
      if (isRunning && looks >= silentLooksMax) {
        void lifecycle.end(slot, {
          reason: "lost",
          detail: "The supervisor in the sandbox does not answer any more.",
        });
      }
    }
  }

  async function compare(): Promise<void> {
    const before = [
      ...lifecycle
        .slots()
        .flatMap((slot) => (slot.container === null ? [] : [[slot.container, slot] as const])),
      ...warm.list().map((container) => [container, null] as const),
    ];
    const list = await engine.listContainers();
    await takeOver(list);
    isKnown = true;
    await repair(list, before);
  }

  async function sweep(): Promise<void> {
    try {
      await know();
      await networks.reconcile();
      fault = null;
    } catch (error) {
      fault = describeError(error);
      logger.warn({ err: error }, "a sweep could not be finished");
    }
    if (isKnown && fault === null) warm.refill();
    await Promise.all(lifecycle.slots().map(removeIdle));
  }

  function know(): Promise<void> {
    knowing ??= compare().finally(() => (knowing = null));
    return knowing;
  }

  /** Until the next sweep is due: every 5 s, sooner when a Sandbox becomes idle sooner. */
  function waitMs(): number {
    const idleInMs = lifecycle
      .slots()
      .flatMap(({ state, observed }) =>
        state === "live" && observed !== null && observed.status.runningCommands === 0
          ? [observed.atMs + observed.status.idleRemovalInMs - clock.monotonicMs()]
          : [],
      );
    return Math.max(50, Math.min(sweepEveryMs, ...idleInMs));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep();
      await clock.sleep(waitMs(), stopping.signal).catch(() => undefined);
    }
  }

  return {
    start: () => void run(),
    stop: () => stopping.abort(new Error("sandboxd is stopping")),
    whenKnown: async () => {
      if (isKnown) return;
      const done = new AbortController();
      const overdue = clock.sleep(knowPatienceMs, done.signal);
      overdue.catch(() => undefined);
      try {
        await Promise.race([know(), overdue]);
      } catch (error) {
        throw describeEngineFailure(error, "The containers on the engine could not be read.");
      } finally {
        done.abort();
      }
      if (!isKnown)
        throw describeEngineFailure(new Error("They are still being read."), "sandboxd is not ready.");
    },
    get fault() {
      return fault;
    },
  };
}

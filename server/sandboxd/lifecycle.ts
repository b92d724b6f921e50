import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import { describeError, DomainError } from "../platform/errors";
import { sandboxContainerName, type Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { ContainerEndedError, type ContainerEnd } from "./container-end";
import type { Containers, LiveContainer } from "./containers";
import { isEngineError, type ContainerFacts, type SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import { toRecord, type ObservedStatus } from "./records";
import type { EnsureResult, SandboxId, SandboxRecord } from "./types";
import type { WarmPool } from "./warm-pool";

const goneKeptMax = 50;
/** How long a caller waits for a removal; the removal itself goes on until the container is gone. */
const removalPatienceMs = 60_000;

/** One Sandbox that has a slot: from before its container exists until the engine has it no more. */
export interface Slot {
  readonly sandboxId: SandboxId;
  state: "starting" | "live" | "removing";
  container: LiveContainer | null;
  /** Resolves when it is live; rejects when it did not come to be. */
  ready: Promise<void>;
  removal: Promise<void> | null;
  end: ContainerEnd | null;
  observed: ObservedStatus | null;
  callsUnderWay: number;
  lastCallAtMs: number;
}

/** Which Sandboxes there are, and how one comes and goes. Every slot counts against `SANDBOX_MAX` until it is gone. */
export interface Lifecycle {
  ensure(sandboxId: SandboxId, keepForMs: number): Promise<EnsureResult>;
  /** The live slot; waits for a start under way. Errors: `sandbox.not_found`. */
  getLive(sandboxId: SandboxId): Promise<Slot & { container: LiveContainer }>;
  remove(sandboxId: SandboxId): Promise<void>;
  /** Begins the removal at once; repeated calls join it. */
  end(slot: Slot, end: ContainerEnd): Promise<void>;
  /** Takes over a container that runs under its sandbox ID's name, as a slot of its own. */
  adopt(sandboxId: SandboxId, facts: ContainerFacts): void;
  slots(): Slot[];
  findGone(sandboxId: SandboxId): SandboxRecord | null;
  listGone(): SandboxRecord[];
}

export function createLifecycle(deps: {
  engine: SandboxEngine;
  containers: Containers;
  warm: WarmPool;
  settings: Settings;
  instance: Instance;
  clock: Clock;
  logger: Logger;
}): Lifecycle {
  const { engine, containers, warm, settings, instance, clock, logger } = deps;
  const slots = new Map<SandboxId, Slot>();
  let gone: SandboxRecord[] = [];

  function open(sandboxId: SandboxId, begin: (slot: Slot) => Promise<LiveContainer>): Slot {
    const slot: Slot = {
      sandboxId,
      state: "starting",
      container: null,
      ready: Promise.resolve(),
      removal: null,
      end: null,
      observed: null,
      callsUnderWay: 0,
      lastCallAtMs: clock.monotonicMs(),
    };
    slots.set(sandboxId, slot);
    slot.ready = begin(slot).then(
      (container) => {
        slot.container = container;
        slot.state = "live";
        logger.info(
          { sandboxId, containerId: container.id, network: container.network },
          "a sandbox is live",
        );
        void container.link.ended.then((end) => endSlot(slot, end));
      },
      (error: unknown) => {
        forget(slot, { reason: "lost", detail: describeError(error) }, "failed");
        throw error;
      },
    );
    slot.ready.catch((error: unknown) =>
      logger.warn({ sandboxId, err: error }, "a sandbox did not come to be"),
    );
    return slot;
  }

  function forget(slot: Slot, end: ContainerEnd, state: "gone" | "failed"): void {
    if (slots.get(slot.sandboxId) === slot) slots.delete(slot.sandboxId);
    const record = { ...toRecord(slot, settings, clock), state, endReason: end.reason, detail: end.detail };
    gone = [record, ...gone].slice(0, goneKeptMax);
  }

  /** Gives the container the Sandbox's name: from then on every sandboxd knows whose it is. */
  async function claim(sandboxId: SandboxId): Promise<LiveContainer> {
    const container = await warm.take();
    const name = sandboxContainerName(instance, sandboxId);
    try {
      await engine.renameContainer(container.id, name);
      return container;
    } catch (error) {
      void containers
        .remove(container)
        .catch((cause: unknown) => logger.warn({ err: cause }, "a removal was left to the next start"));
      container.link.end({ reason: "lost", detail: "It was not needed." });
      if (!isEngineError(error, "conflict"))
        throw describeEngineFailure(error, "The sandbox could not be named.");
      const other = await engine.findContainer(name);
      if (other === null || other.state !== "running") {
        throw new DomainError(
          "sandbox.start_failed",
          `The name ${name} is held by a container that does not run. Try again.`,
        );
      }
      // Somebody was faster: theirs is the Sandbox.
      return containers.adopt(other);
    }
  }

  async function ensure(sandboxId: SandboxId, keepForMs: number): Promise<EnsureResult> {
    for (;;) {
      let slot = slots.get(sandboxId);
      if (slot?.state === "removing") {
        await patience(slot.removal);
        continue;
      }
      if (slot === undefined) {
        if (slots.size >= settings.SANDBOX_MAX) return refusal();
        slot = open(sandboxId, () => claim(sandboxId));
      }
      await slot.ready;
      try {
        if (slot.container === null || slot.end !== null) continue;
        slot.lastCallAtMs = clock.monotonicMs();
        await slot.container.link.call((supervisor) => supervisor.touch(keepForMs));
        return { status: "live", sandbox: toRecord(slot, settings, clock) };
      } catch (error) {
        // It died under our hands: the caller gets a fresh one.
        if (!(error instanceof ContainerEndedError)) throw error;
        await patience(endSlot(slot, error.end));
      }
    }
  }

  function refusal(): EnsureResult {
    const limit = settings.SANDBOX_MAX;
    const message = `${slots.size} of ${limit} sandboxes are live on this host (SANDBOX_MAX).`;
    return { status: "refused", reason: "sandbox_max", message, limit, used: slots.size };
  }

  function endSlot(slot: Slot, end: ContainerEnd): Promise<void> {
    const { container } = slot;
    if (slot.removal !== null || container === null) return slot.removal ?? Promise.resolve();
    slot.state = "removing";
    slot.end = end;
    logger.info({ sandboxId: slot.sandboxId, containerId: container.id, ...end }, "a sandbox ends");
    container.link.end(end);
    slot.removal = containers.remove(container).then(() => forget(slot, end, "gone"));
    slot.removal.catch((error: unknown) =>
      logger.warn({ err: error }, "a removal was left to the next start"),
    );
    return slot.removal;
  }

  async function patience(removal: Promise<void> | null): Promise<void> {
    const done = new AbortController();
    const overdue = clock.sleep(removalPatienceMs, done.signal).then(() => {
      throw new DomainError(
        "sandbox.engine_unavailable",
        "The engine has not removed the container yet. Its slot stays taken.",
      );
    });
    overdue.catch(() => undefined);
    await Promise.race([removal, overdue]).finally(() => done.abort());
  }

  return {
    ensure,
    getLive: async (sandboxId) => {
      const slot = slots.get(sandboxId);
      if (slot?.state === "starting") await slot.ready;
      if (slot === undefined || slot.container === null || slot.end !== null) {
        const detail = slot?.end?.detail ?? gone.find((one) => one.sandboxId === sandboxId)?.detail;
        throw notFound(sandboxId, detail ?? null);
      }
      return slot as Slot & { container: LiveContainer };
    },
    remove: async (sandboxId) => {
      const slot = slots.get(sandboxId);
      if (slot === undefined) return;
      await slot.ready.catch(() => undefined);
      await patience(endSlot(slot, { reason: "removed", detail: "The sandbox was removed." }));
    },
    end: endSlot,
    adopt: (sandboxId, facts) => {
      open(sandboxId, () => containers.adopt(facts));
    },
    slots: () => [...slots.values()],
    findGone: (sandboxId) => gone.find((one) => one.sandboxId === sandboxId) ?? null,
    listGone: () => gone,
  };
}

/** The Sandbox is not there, with why when that is known. */
export function notFound(sandboxId: SandboxId, detail: string | null): DomainError {
  return new DomainError(
    "sandbox.not_found",
    detail === null ? "There is no such sandbox." : `The sandbox is gone: ${detail}`,
    {
      sandboxId,
    },
  );
}

import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import { describeError, DomainError } from "../platform/errors";
import type { Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { claimContainer } from "./claim";
import { ContainerEndedError, type ContainerEnd } from "./container-end";
import type { Containers } from "./containers";
import type { LiveContainer } from "./live-container";
import type { ContainerFacts, SandboxEngine } from "./engine";
import { toRecord } from "./records";
import type { LiveSlot, Slot } from "./slot";
import type { EnsureResult, SandboxId, SandboxRecord } from "./types";
import type { WarmPool } from "./warm-pool";

const goneKeptMax = 50;
/** How long a caller waits for a removal; the removal itself goes on until the container is gone. */
const removalPatienceMs = 60_000;

/** Which Sandboxes there are, and how one comes and goes. Every slot counts against `SANDBOX_MAX` until it is gone. */
export interface Lifecycle {
  ensure(sandboxId: SandboxId, keepForMs: number): Promise<EnsureResult>;
  /** The live slot; waits for a start under way. Errors: `sandbox.not_found`. */
  getLive(sandboxId: SandboxId): Promise<LiveSlot>;
  remove(sandboxId: SandboxId): Promise<void>;
  /** Begins the removal at once, without being waited for; another one changes nothing. */
  end(slot: Slot, end: ContainerEnd): void;
  /** Takes over a container that runs under its sandbox ID's name, as a slot of its own. */
  adopt(sandboxId: SandboxId, facts: ContainerFacts): void;
  slots(): Slot[];
  findGone(sandboxId: SandboxId): SandboxRecord | null;
  listGone(): SandboxRecord[];
}

export interface LifecycleDeps {
  engine: SandboxEngine;
  containers: Containers;
  warm: WarmPool;
  settings: Settings;
  instance: Instance;
  clock: Clock;
  logger: Logger;
}

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { settings, clock } = deps;
  const slots = new Map<SandboxId, Slot>();
  let gone: SandboxRecord[] = [];

  function forget(slot: Slot, end: ContainerEnd, state: "gone" | "failed"): void {
    if (slots.get(slot.sandboxId) === slot) slots.delete(slot.sandboxId);
    const endedAt = clock.now().toISOString();
    const { reason: endReason, detail } = end;
    const record = { ...toRecord(slot, settings, clock), state, endReason, detail, endedAt };
    gone = [record, ...gone].slice(0, goneKeptMax);
  }

  function open(sandboxId: SandboxId, begin: () => Promise<LiveContainer>): Slot {
    const slot = openSlot(deps, sandboxId, begin, { onEnded: endSlot, onFailed: forget });
    slots.set(sandboxId, slot);
    return slot;
  }

  function endSlot(slot: Slot, end: ContainerEnd): void {
    if (slot.removal === null && slot.container !== null)
      beginRemoval(deps, slot, slot.container, end, forget);
  }

  async function ensure(sandboxId: SandboxId, keepForMs: number): Promise<EnsureResult> {
    for (;;) {
      let slot = slots.get(sandboxId);
      if (slot?.state === "removing") {
        await patience(slot.removal, clock);
        continue;
      }
      if (slot === undefined) {
        if (slots.size >= settings.SANDBOX_MAX) return refusal(slots.size, settings);
        slot = open(sandboxId, () => claimContainer(deps, sandboxId));
      }
      await slot.ready;
      if (slot.container === null || slot.end !== null) continue;
      try {
        slot.lastCallAtMs = clock.monotonicMs();
        await slot.container.link.call((supervisor) => supervisor.touch(keepForMs));
        return { status: "live", sandbox: toRecord(slot, settings, clock) };
      } catch (error) {
        // It died under our hands: the caller gets a fresh one.
        if (!(error instanceof ContainerEndedError)) throw error;
        endSlot(slot, error.end);
      }
    }
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
      return slot as LiveSlot;
    },
    remove: async (sandboxId) => {
      const slot = slots.get(sandboxId);
      if (slot === undefined) return;
      await slot.ready.catch(() => undefined);
      endSlot(slot, { reason: "removed", detail: "The sandbox was removed." });
      await patience(slot.removal, clock);
    },
    end: endSlot,
    adopt: (sandboxId, facts) => void open(sandboxId, () => deps.containers.adopt(facts)),
    slots: () => [...slots.values()],
    findGone: (sandboxId) => gone.find((one) => one.sandboxId === sandboxId) ?? null,
    listGone: () => gone,
  };
}

/** The Sandbox is not there, with why when that is known. */
export function notFound(sandboxId: SandboxId, detail: string | null): DomainError {
  const message = detail === null ? "There is no such sandbox." : `The sandbox is gone: ${detail}`;
  return new DomainError("sandbox.not_found", message, { sandboxId });
}

function openSlot(
  { clock, logger }: LifecycleDeps,
  sandboxId: SandboxId,
  begin: () => Promise<LiveContainer>,
  on: {
    onEnded: (slot: Slot, end: ContainerEnd) => void;
    onFailed: (slot: Slot, end: ContainerEnd, state: "failed") => void;
  },
): Slot {
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
  slot.ready = begin().then(
    (container) => {
      slot.container = container;
      slot.state = "live";
      logger.info({ sandboxId, containerId: container.id, network: container.network }, "a sandbox is live");
      void container.link.ended.then((end) => on.onEnded(slot, end));
    },
    (error: unknown) => {
      on.onFailed(slot, { reason: "lost", detail: describeError(error) }, "failed");
      throw error;
    },
  );
  slot.ready.catch((error: unknown) =>
    logger.warn({ sandboxId, err: error }, "a sandbox did not come to be"),
  );
  return slot;
}

function beginRemoval(
  { containers, logger }: LifecycleDeps,
  slot: Slot,
  container: LiveContainer,
  end: ContainerEnd,
  forget: (slot: Slot, end: ContainerEnd, state: "gone") => void,
): void {
  slot.state = "removing";
  slot.end = end;
  logger.info({ sandboxId: slot.sandboxId, containerId: container.id, ...end }, "a sandbox ends");
  container.link.end(end);
  slot.removal = containers.remove(container).then(() => forget(slot, end, "gone"));
  slot.removal.catch((error: unknown) => {
    logger.info(
      { containerId: container.id, reason: describeError(error) },
      "a removal is left to the next start",
    );
  });
}

function refusal(used: number, { SANDBOX_MAX: limit }: Settings): EnsureResult {
  const message = `${used} of ${limit} sandboxes are live on this host (SANDBOX_MAX).`;
  return { status: "refused", reason: "sandbox_max", message, limit, used };
}

async function patience(removal: Promise<void> | null, clock: Clock): Promise<void> {
  const done = new AbortController();
  const overdue = clock.sleep(removalPatienceMs, done.signal).then(() => {
    const sentence = "The engine has not removed the container yet. Its place stays taken.";
    throw new DomainError("sandbox.engine_unavailable", sentence);
  });
  overdue.catch(() => undefined);
  await Promise.race([removal, overdue]).finally(() => done.abort());
}

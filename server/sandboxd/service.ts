import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import { DomainError } from "../platform/errors";
import { followCommand, runCommand } from "./commands";
import { ContainerEndedError } from "./container-end";
import type { ContainerLink } from "./container-link";
import { notFound, type Lifecycle } from "./lifecycle";
import { observe, toRecord } from "./records";
import type { Slot } from "./slot";
import type { Supervisor } from "./supervisor";
import type { SandboxId, Sandboxes } from "./types";
import type { WarmPool } from "./warm-pool";

/** Calls under way in one Sandbox; more are `limit.rate`. */
const callsUnderWayMax = 64;

/**
 * The use cases of Sandboxes. Calls on one that ended meanwhile are `sandbox.not_found` with the reason, commands
 * `interrupted`.
 */
export function createSandboxService(deps: {
  lifecycle: Lifecycle;
  warm: WarmPool;
  settings: Settings;
  clock: Clock;
  /** Resolves when the containers on the engine are known; rejects while they cannot be. */
  whenKnown: () => Promise<void>;
}): Sandboxes {
  const { lifecycle, warm, settings, clock, whenKnown } = deps;
  const keepForMs = (sleepAfterMs: number | undefined): number =>
    Math.max(sleepAfterMs ?? 0, settings.SANDBOX_IDLE_MS);

  const { inSlot, call, look } = createSlotCalls(deps);

  return {
    ensure: async ({ sandboxId, sleepAfterMs }) => {
      await whenKnown();
      return lifecycle.ensure(sandboxId, keepForMs(sleepAfterMs));
    },
    find: async (sandboxId) => {
      await whenKnown();
      const slot = lifecycle.slots().find((one) => one.sandboxId === sandboxId);
      if (slot === undefined) return lifecycle.findGone(sandboxId);
      await look(slot);
      return toRecord(slot, settings, clock);
    },
    list: async () => {
      await whenKnown();
      const slots = lifecycle.slots();
      await Promise.all(slots.map(look));
      const live = slots.map((slot) => toRecord(slot, settings, clock));
      live.sort((one, other) => (one.startedAt ?? "~").localeCompare(other.startedAt ?? "~"));
      return {
        asOf: clock.now().toISOString(),
        liveMax: settings.SANDBOX_MAX,
        live,
        warmCount: warm.count,
        gone: lifecycle.listGone(),
      };
    },
    touch: ({ sandboxId, sleepAfterMs }) =>
      call(sandboxId, (supervisor) => supervisor.touch(keepForMs(sleepAfterMs))),
    remove: async ({ sandboxId }) => {
      await whenKnown();
      await lifecycle.remove(sandboxId);
    },
    prepareRun: ({ sandboxId, ...input }) => call(sandboxId, (supervisor) => supervisor.prepareRun(input)),
    removeRun: ({ sandboxId, ...input }) => call(sandboxId, (supervisor) => supervisor.removeRun(input)),
    exec: ({ sandboxId, ...spec }, onOutput = () => undefined, signal) =>
      inSlot(sandboxId, (link) => runCommand(link, spec, onOutput, signal)),
    followCommand: (
      { sandboxId, commandId, stdoutOffset = 0, stderrOffset = 0 },
      onOutput = () => undefined,
      signal,
    ) =>
      inSlot(sandboxId, (link) =>
        followCommand(link, { commandId, stdoutOffset, stderrOffset }, onOutput, signal),
      ),
    stopCommand: ({ sandboxId, commandId }) =>
      call(sandboxId, (supervisor) => supervisor.stopCommand(commandId)),
    readFile: ({ sandboxId, ...input }) => call(sandboxId, (supervisor) => supervisor.readFile(input)),
    writeFile: ({ sandboxId, ...input }) => call(sandboxId, (supervisor) => supervisor.writeFile(input)),
    listFiles: ({ sandboxId, ...input }) => call(sandboxId, (supervisor) => supervisor.listFiles(input)),
    // Repeated, it would answer that nothing was there.
    deleteFile: ({ sandboxId, ...input }) =>
      call(sandboxId, (supervisor) => supervisor.deleteFile(input), { isRepeatable: false }),
  };
}

interface SlotCalls {
  /** Runs `act` in the live slot, as one of its calls under way. */
  inSlot: <Value>(sandboxId: SandboxId, act: (link: ContainerLink) => Promise<Value>) => Promise<Value>;
  /** Makes one call on the supervisor. */
  call: <Value>(
    sandboxId: SandboxId,
    act: (supervisor: Supervisor) => Promise<Value>,
    options?: { isRepeatable: boolean },
  ) => Promise<Value>;
  /** Asks the slot's supervisor how things are. */
  look: (slot: Slot) => Promise<void>;
}

function createSlotCalls({
  lifecycle,
  clock,
  whenKnown,
}: {
  lifecycle: Lifecycle;
  clock: Clock;
  whenKnown: () => Promise<void>;
}): SlotCalls {
  async function inSlot<Value>(
    sandboxId: SandboxId,
    act: (link: ContainerLink) => Promise<Value>,
  ): Promise<Value> {
    await whenKnown();
    const slot = await lifecycle.getLive(sandboxId);
    if (slot.callsUnderWay >= callsUnderWayMax) {
      throw new DomainError(
        "limit.rate",
        `At most ${callsUnderWayMax} calls run in a sandbox at once. Try again.`,
      );
    }
    slot.callsUnderWay++;
    slot.lastCallAtMs = clock.monotonicMs();
    try {
      return await act(slot.container.link);
    } finally {
      slot.callsUnderWay--;
      slot.lastCallAtMs = clock.monotonicMs();
    }
  }

  function call<Value>(
    sandboxId: SandboxId,
    act: (supervisor: Supervisor) => Promise<Value>,
    options: { isRepeatable: boolean } = { isRepeatable: true },
  ): Promise<Value> {
    return inSlot(sandboxId, async (link) => {
      try {
        return await link.call(act, options);
      } catch (error) {
        throw error instanceof ContainerEndedError ? notFound(sandboxId, error.end.detail) : error;
      }
    });
  }

  async function look(slot: Slot): Promise<void> {
    if (slot.state !== "live" || slot.container === null) return;
    try {
      const status = await slot.container.link.status();
      slot.observed = observe(slot.observed, status, clock.monotonicMs());
    } catch {
      // What was seen last stays; the sweep deals with one that does not answer.
    }
  }

  return { inSlot, call, look };
}

import { sandboxContainerName, type Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { isEngineError, type ContainerSummary, type SandboxEngine } from "./engine";
import type { Lifecycle } from "./lifecycle";
import type { LiveContainer } from "./live-container";
import type { Slot } from "./slot";

/** Containers in use when the engine was asked for its list; the slot is null for warm ones. */
export type KnownContainers = readonly (readonly [container: LiveContainer, slot: Slot | null])[];

/** Mends what was done from outside to containers in use: renamed back, or found to be at their end. */
export async function repairContainers(
  deps: { engine: SandboxEngine; lifecycle: Lifecycle; instance: Instance; logger: Logger },
  list: readonly ContainerSummary[],
  known: KnownContainers,
): Promise<void> {
  const { engine, lifecycle, instance, logger } = deps;
  for (const [container, slot] of known) {
    const listed = list.find((one) => one.id === container.id);
    if (listed === undefined || listed.state !== "running") {
      // The end is the link's own to tell; an engine without an answer tells nothing.
      await container.link.check().catch(() => undefined);
      continue;
    }
    const wanted = slot === null ? null : sandboxContainerName(instance, slot.sandboxId);
    if (slot?.state !== "live" || wanted === null || listed.name === wanted) continue;
    logger.warn({ sandboxId: slot.sandboxId, name: listed.name }, "a container was renamed from outside");
    try {
      await engine.renameContainer(container.id, wanted);
    } catch (error) {
      if (!isEngineError(error, "conflict")) throw error;
      lifecycle.end(slot, { reason: "drifted", detail: "Another container holds the sandbox's name." });
    }
  }
}

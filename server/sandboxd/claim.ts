import { DomainError } from "../platform/errors";
import { sandboxContainerName, type Instance } from "../platform/instance";
import type { Containers } from "./containers";
import type { LiveContainer } from "./live-container";
import { isEngineError, type SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import type { SandboxId } from "./types";
import type { WarmPool } from "./warm-pool";

/**
 * Gives a container the Sandbox's name: from then on every sandboxd knows whose it is. When somebody else was faster,
 * theirs is taken. Errors: `sandbox.*`; the container is removed then.
 */
export async function claimContainer(
  deps: { engine: SandboxEngine; containers: Containers; warm: WarmPool; instance: Instance },
  sandboxId: SandboxId,
): Promise<LiveContainer> {
  const { engine, containers, warm, instance } = deps;
  const container = await warm.take();
  const name = sandboxContainerName(instance, sandboxId);
  try {
    await engine.renameContainer(container.id, name);
    return container;
  } catch (error) {
    container.link.end({ reason: "lost", detail: "It was not needed." });
    containers.discard(container);
    if (!isEngineError(error, "conflict")) {
      throw describeEngineFailure(error, "The sandbox could not be named.");
    }
    const other = await engine.findContainer(name).catch((cause: unknown) => {
      throw describeEngineFailure(cause, `The name ${name} is taken.`);
    });
    if (other?.state !== "running") {
      const sentence = `The name ${name} is held by a container that does not run. Try again.`;
      throw new DomainError("sandbox.start_failed", sentence);
    }
    return containers.adopt(other);
  }
}

import { DomainError } from "../platform/errors";
import { createContainerLink } from "./container-link";
import { containerBody } from "./container-spec";
import type { ContainerDeps, LiveContainer } from "./live-container";
import { describeUnfitness, traitsOf } from "./engine-traits";

const startPatienceMs = 30_000;

/**
 * Creates a container on its network, from the image as it is now, and gives its id. Errors: `sandbox.image_missing`;
 * `sandbox.start_failed` when the engine or its runtime is not fit; what the engine says.
 */
export async function createOnEngine(
  deps: ContainerDeps,
  name: string,
  networkNumber: number,
): Promise<string> {
  const { engine, networks, settings, instance } = deps;
  const [imageId, facts] = await Promise.all([engine.findImage(settings.SANDBOX_IMAGE), engine.describe()]);
  if (imageId === null) {
    const image = settings.SANDBOX_IMAGE;
    const sentence = `The image ${image} is not on the engine: run npm run stack:up, which builds it, or set SANDBOX_IMAGE.`;
    throw new DomainError("sandbox.image_missing", sentence, { image });
  }
  const unfitness = describeUnfitness(facts, settings.SANDBOX_RUNTIME);
  if (unfitness !== null) throw new DomainError("sandbox.start_failed", unfitness);
  await networks.prepare(networkNumber);
  const body = containerBody({ settings, instance, imageId, traits: traitsOf(facts), networkNumber });
  return engine.createContainer(name, body);
}

/**
 * Waits until a running container's supervisor answers, and sees that it runs under the runtime that was asked for.
 * Errors: `sandbox.start_failed`, `sandbox.engine_unavailable`; the container is left as it is.
 */
export async function openContainer(
  deps: ContainerDeps,
  id: string,
  networkNumber: number,
): Promise<LiveContainer> {
  const { engine, settings } = deps;
  const link = createContainerLink({
    ...deps,
    containerId: id,
    runtime: settings.SANDBOX_RUNTIME,
    memoryMb: settings.SANDBOX_MEMORY_MB,
  });
  const [{ runtime }, facts] = await Promise.all([
    link.call((supervisor) => supervisor.status(), { patienceMs: startPatienceMs }),
    engine.findContainer(id),
  ]);
  if (runtime !== settings.SANDBOX_RUNTIME || facts === null) {
    const detail = `The sandbox runs under ${runtime}, but SANDBOX_RUNTIME is ${settings.SANDBOX_RUNTIME}.`;
    link.end({ reason: "drifted", detail });
    throw new DomainError("sandbox.start_failed", detail);
  }
  const endpoint = facts.networks[0];
  return {
    id,
    imageId: facts.imageId,
    networkNumber,
    network: endpoint?.networkName ?? null,
    address: endpoint?.address ?? null,
    startedAt: facts.startedAt,
    link,
  };
}

import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import { describeError, DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { createContainerLink, type ConnectSupervisor, type ContainerLink } from "./container-link";
import { containerBody, networkNumberLabel, warmContainerName } from "./container-spec";
import type { ContainerFacts, SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import { describeUnfitness, traitsOf } from "./engine-traits";
import type { SandboxNetworks } from "./networks";

const startPatienceMs = 30_000;
const adoptAgainMs = 1_000;
const removalWaitsMs = [100, 250, 500, 1_000, 2_000, 5_000];

/** A container that runs, with the way to its supervisor. */
export interface LiveContainer {
  id: string;
  imageId: string;
  networkNumber: number;
  network: string | null;
  address: string | null;
  startedAt: string;
  link: ContainerLink;
}

/** Starts, adopts and removes containers, and knows which ones on the engine are its own doing. */
export interface Containers {
  /** Starts one under a warm name; when it answers, its supervisor does. A failed one is removed. */
  start(): Promise<LiveContainer>;
  /** Takes over one that runs already, however long the engine is away. Errors: as `start`; it is removed then. */
  adopt(facts: ContainerFacts): Promise<LiveContainer>;
  /** Removes it and answers when the engine has it no more, however long that takes. */
  remove(container: { id: string; networkNumber: number | null }): Promise<void>;
  /** Whether this container is being started, used or removed here. */
  isTracked(container: { id: string; name: string }): boolean;
  /** Ends every wait; containers stay. */
  stop(): void;
}

export function createContainers(deps: {
  engine: SandboxEngine;
  networks: SandboxNetworks;
  connect: ConnectSupervisor;
  settings: Settings;
  instance: Instance;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}): Containers {
  const { engine, networks, connect, settings, instance, clock, ids, logger } = deps;
  const trackedIds = new Set<string>();
  const namesBeingCreated = new Set<string>();
  const stopping = new AbortController();

  async function create(name: string, networkNumber: number): Promise<string> {
    const [imageId, facts] = await Promise.all([engine.findImage(settings.SANDBOX_IMAGE), engine.describe()]);
    if (imageId === null) throw imageMissing(settings.SANDBOX_IMAGE);
    const unfitness = describeUnfitness(facts, settings.SANDBOX_RUNTIME);
    if (unfitness !== null) throw new DomainError("sandbox.start_failed", unfitness);
    await networks.prepare(networkNumber);
    namesBeingCreated.add(name);
    try {
      const traits = traitsOf(facts);
      const id = await engine.createContainer(
        name,
        containerBody({ settings, instance, imageId, traits, networkNumber }),
      );
      trackedIds.add(id);
      return id;
    } finally {
      namesBeingCreated.delete(name);
    }
  }

  async function open(id: string, networkNumber: number): Promise<LiveContainer> {
    const link = createContainerLink({
      containerId: id,
      engine,
      connect,
      clock,
      logger,
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

  async function remove({ id, networkNumber }: { id: string; networkNumber: number | null }): Promise<void> {
    trackedIds.add(id);
    for (let tries = 0; ; tries++) {
      try {
        if ((await engine.removeContainer(id)) === "done") break;
        if ((await engine.findContainer(id)) === null) break;
      } catch (error) {
        logger.warn({ containerId: id, err: error }, "a container could not be removed yet");
      }
      await clock.sleep(removalWaitsMs[Math.min(tries, removalWaitsMs.length - 1)] ?? 0, stopping.signal);
    }
    trackedIds.delete(id);
    if (networkNumber !== null) networks.release(networkNumber);
  }

  return {
    start: async () => {
      const networkNumber = networks.acquire();
      let id: string | null = null;
      try {
        id = await create(warmContainerName(instance, ids.uuid()), networkNumber);
        await engine.startContainer(id);
        return await open(id, networkNumber);
      } catch (error) {
        if (id === null) networks.release(networkNumber);
        else await removeSoon({ id, networkNumber });
        throw describeEngineFailure(error, "The sandbox could not be started.");
      }
    },
    adopt: async (facts) => {
      const networkNumber = Number(facts.labels[networkNumberLabel]);
      trackedIds.add(facts.id);
      networks.hold(networkNumber);
      for (;;) {
        try {
          return await open(facts.id, networkNumber);
        } catch (error) {
          // Nothing is known of a container whose engine does not answer, so it is not given up.
          const isEngineBack = await engine.listContainers().then(
            () => true,
            () => false,
          );
          if (isEngineBack) {
            await removeSoon({ id: facts.id, networkNumber });
            throw describeEngineFailure(error, "The sandbox could not be taken over.");
          }
          await clock.sleep(adoptAgainMs, stopping.signal);
        }
      }
    },
    remove,
    isTracked: ({ id, name }) => trackedIds.has(id) || namesBeingCreated.has(name),
    stop: () => stopping.abort(new Error("sandboxd is stopping")),
  };

  /** Waits for the removal, but not for an engine that does not answer. */
  async function removeSoon(container: { id: string; networkNumber: number }): Promise<void> {
    const removal = remove(container).catch((error: unknown) => {
      logger.warn(
        { containerId: container.id, reason: describeError(error) },
        "a removal was left to the next start",
      );
    });
    await Promise.race([removal, clock.sleep(removalWaitsMs[0] ?? 0)]);
  }
}

function imageMissing(image: string): DomainError {
  return new DomainError(
    "sandbox.image_missing",
    `The image ${image} is not on the engine: run npm run stack:up, which builds it, or set SANDBOX_IMAGE.`,
    { image },
  );
}

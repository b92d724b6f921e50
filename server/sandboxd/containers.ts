import { describeError } from "../platform/errors";
import { networkNumberLabel, warmContainerName } from "./container-spec";
import { createOnEngine, openContainer } from "./container-start";
import type { ContainerFacts, SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import type { ContainerDeps, LiveContainer } from "./live-container";

const adoptAgainMs = 1_000;
const removalWaitsMs = [100, 250, 500, 1_000, 2_000, 5_000];

/** Starts, adopts and removes containers, and knows which ones on the engine are its own doing. */
export interface Containers {
  /** Starts one under a warm name; when it answers, its supervisor does. A failed one is removed. */
  start(): Promise<LiveContainer>;
  /** Takes over one that runs already, however long the engine is away. Errors: as `start`; it is removed then. */
  adopt(facts: ContainerFacts): Promise<LiveContainer>;
  /** Removes it and answers when the engine has it no more, however long that takes. Errors: rejects at `stop`. */
  remove(container: { id: string; networkNumber: number | null }): Promise<void>;
  /** Removes it without being waited for. */
  discard(container: { id: string; networkNumber: number | null }): void;
  /** Whether this container is being started, used or removed here. */
  isTracked(container: { id: string; name: string }): boolean;
  /** Ends every wait; containers stay. */
  stop(): void;
}

export function createContainers(deps: ContainerDeps): Containers {
  const { engine, networks, instance, clock, ids, logger } = deps;
  const trackedIds = new Set<string>();
  const namesBeingCreated = new Set<string>();
  const stopping = new AbortController();

  async function create(name: string, networkNumber: number): Promise<string> {
    namesBeingCreated.add(name);
    try {
      const id = await createOnEngine(deps, name, networkNumber);
      trackedIds.add(id);
      return id;
    } finally {
      namesBeingCreated.delete(name);
    }
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

  function discard(container: { id: string; networkNumber: number | null }): void {
    remove(container).catch((error: unknown) => {
      logger.info(
        { containerId: container.id, reason: describeError(error) },
        "a removal is left to the next start",
      );
    });
  }

  return {
    start: async () => {
      const networkNumber = networks.acquire();
      let id: string | null = null;
      try {
        id = await create(warmContainerName(instance, ids.uuid()), networkNumber);
        await engine.startContainer(id);
        return await openContainer(deps, id, networkNumber);
      } catch (error) {
        const failure = describeEngineFailure(error, "The sandbox could not be started.");
        if (id === null) networks.release(networkNumber);
        else if (failure.code === "sandbox.engine_unavailable") discard({ id, networkNumber });
        else await remove({ id, networkNumber });
        throw failure;
      }
    },
    adopt: async (facts) => {
      const networkNumber = Number(facts.labels[networkNumberLabel]);
      trackedIds.add(facts.id);
      networks.hold(networkNumber);
      for (;;) {
        try {
          return await openContainer(deps, facts.id, networkNumber);
        } catch (error) {
          // Nothing is known of a container whose engine does not answer, so it is not given up.
          if (await answers(engine)) {
            discard({ id: facts.id, networkNumber });
            throw describeEngineFailure(error, "The sandbox could not be taken over.");
          }
          await clock.sleep(adoptAgainMs, stopping.signal);
        }
      }
    },
    remove,
    discard,
    isTracked: ({ id, name }) => trackedIds.has(id) || namesBeingCreated.has(name),
    stop: () => stopping.abort(new Error("sandboxd is stopping")),
  };
}

function answers(engine: SandboxEngine): Promise<boolean> {
  return engine.listContainers().then(
    () => true,
    () => false,
  );
}

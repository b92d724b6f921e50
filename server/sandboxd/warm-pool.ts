import { describeError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import type { Containers } from "./containers";
import type { LiveContainer } from "./live-container";

/** Containers that were started before anybody asked. */
export interface WarmPool {
  /** Gives the readiest one, or one under way, or starts one; the pool is filled up again behind it. */
  take(): Promise<LiveContainer>;
  readonly hasRoom: boolean;
  /** Takes in a container that was found running. */
  add(container: Promise<LiveContainer>): void;
  /** Starts what is missing, without waiting for it. */
  refill(): void;
  readonly count: number;
  list(): LiveContainer[];
  /** Why the last start ahead failed, for the operator; null when it did not. */
  readonly fault: string | null;
}

interface Place {
  container: Promise<LiveContainer>;
  ready: LiveContainer | null;
}

export function createWarmPool(deps: { containers: Containers; size: number; logger: Logger }): WarmPool {
  const { containers, size, logger } = deps;
  let places: Place[] = [];
  /** Ones that failed and are not gone yet: they still hold a network. */
  let removingCount = 0;
  let fault: string | null = null;

  function place(container: Promise<LiveContainer>): Place {
    const made: Place = { container, ready: null };
    places.push(made);
    container.then(
      (ready) => {
        made.ready = ready;
        fault = null;
        void ready.link.ended
          .then((end) => discard(made, ready, end.detail))
          .catch((error: unknown) =>
            logger.info({ reason: describeError(error) }, "a removal is left to the next start"),
          );
      },
      (error: unknown) => {
        if (leave(made)) fault = describeError(error);
      },
    );
    return made;
  }

  function leave(made: Place): boolean {
    const wasHere = places.includes(made);
    places = places.filter((one) => one !== made);
    return wasHere;
  }

  async function discard(made: Place, ready: LiveContainer, detail: string): Promise<void> {
    if (!leave(made)) return;
    logger.warn({ containerId: ready.id, detail }, "a warm container was lost");
    removingCount++;
    await containers.remove(ready);
    removingCount--;
    refill();
  }

  function refill(): void {
    while (places.length + removingCount < size) {
      place(containers.start()).container.catch((error: unknown) => {
        logger.warn({ err: error }, "a container could not be started ahead");
      });
    }
  }

  return {
    take: () => {
      const taken = places.find((one) => one.ready !== null) ?? places[0];
      if (taken === undefined) {
        const started = containers.start();
        refill();
        return started;
      }
      leave(taken);
      refill();
      return taken.container;
    },
    get hasRoom() {
      return places.length + removingCount < size;
    },
    add: (container) => void place(container),
    refill,
    get count() {
      return places.filter((one) => one.ready !== null).length;
    },
    list: () => places.flatMap((one) => (one.ready === null ? [] : [one.ready])),
    get fault() {
      return fault;
    },
  };
}

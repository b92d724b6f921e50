import type { Clock } from "../platform/clock";
import type { Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { toStorableJson } from "../platform/storable-text";
import type { EventReach, EventStore } from "./store";
import type { EventRecord, NewEvent, PlacedEvent } from "./types";

/** How long a committed event may wait before a stream shows it. */
const pollMs = 250;

const pageSize = 200;

/** The outbox: what happened, readable by everybody in the one order in which it was committed. */
export interface Events {
  /**
   * Writes an event in the transaction in which it happens, and gives its id.
   * Concurrency: the last thing that a transaction does. From here to its commit every other writer of events waits, so
   * that whoever has read up to an event has missed none before it.
   */
  append(tx: Transaction, event: NewEvent): Promise<string>;
  /**
   * Events in order, those after the event `after` when it is given; with `newestFirst` the last ones, and those before
   * `after`. One that the reader does not reach is not found. Errors: `event.not_found`.
   */
  list(
    input: EventQuery & { after: string | null; newestFirst?: boolean; limit: number },
  ): Promise<EventRecord[]>;
  /**
   * Yields every committed event once and in order: those after `lastEventId`, without it those from now on. Ends when
   * the signal aborts. Errors: `event.not_found`.
   */
  stream(
    input: EventQuery & { lastEventId: string | null; signal: AbortSignal },
  ): AsyncGenerator<EventRecord, void>;
}

interface EventQuery extends EventReach {
  types: readonly string[] | null;
}

export function createEvents(deps: { store: EventStore; clock: Clock; ids: Ids }): Events {
  const { store, clock, ids } = deps;

  const positionOf = async (id: string, reach: EventReach): Promise<bigint> => {
    const position = await store.findPosition(id, reach);
    if (position === null) throw new DomainError("event.not_found", "There is no such event.");
    return position;
  };

  // One question to the database for all streams of this process, however many there are.
  let nextLook: Promise<bigint> | null = null;
  const lookAgain = (): Promise<bigint> =>
    (nextLook ??= clock.sleep(pollMs).then(() => {
      nextLook = null;
      return store.lastPosition();
    }));

  /** The last position as soon as it lies after the given one; null when the signal aborted first. */
  const waitForMore = async (position: bigint, signal: AbortSignal): Promise<bigint | null> => {
    for (;;) {
      const committed = await orAborted(lookAgain(), signal);
      if (committed === null || committed > position) return committed;
    }
  };

  return {
    append: async (tx, event) => {
      const id = ids.uuid();
      const data = toStorableJson(event.data);
      await store.append(tx, { ...event, data, id });
      return id;
    },
    list: async ({ after, ...query }) => {
      const position = after === null ? null : await positionOf(after, query);
      return (await store.list({ ...query, after: position })).map(withoutPosition);
    },
    stream: async function* ({ types, projectId, changeId, lastEventId, signal }) {
      const reach = { projectId, changeId };
      let position = lastEventId === null ? await store.lastPosition() : await positionOf(lastEventId, reach);
      let lastKnown = position;
      while (!signal.aborted) {
        // Types are chosen here and not in the query, so that the place moves on past the others.
        const page = await store.list({ after: position, types: null, ...reach, limit: pageSize });
        for (const event of page) {
          position = event.position;
          if (types === null || types.includes(event.type)) yield withoutPosition(event);
          if (signal.aborted) return;
        }
        if (page.length === pageSize) continue;
        // What was known to be committed before the page was read is in the page, or is not this reader's.
        if (lastKnown > position) position = lastKnown;
        const committed = await waitForMore(position, signal);
        if (committed === null) return;
        lastKnown = committed;
      }
    },
  };
}

/** What the promise gives, or null as soon as the signal aborts; leaves nothing on a signal that lives on. */
async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  if (signal.aborted) return null;
  let abort = (): void => {};
  const aborted = new Promise<null>((resolve) => (abort = () => resolve(null)));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function withoutPosition({ position: _position, ...event }: PlacedEvent): EventRecord {
  return event;
}

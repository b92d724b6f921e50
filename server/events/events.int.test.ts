import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock, type Clock } from "../platform/clock";
import { createTransactions, type Db } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { until } from "../testing/until";
import { createEvents, type Events } from "./service";
import { createEventStore, type EventStore } from "./store";
import type { EventRecord, NewEvent } from "./types";

const [mine, theirs] = [randomUUID(), randomUUID()];

let database: TestDatabase;
let db: Db;

const createProcess = (pool: Db, clock: Clock = createSystemClock()): Events =>
  createEvents({ store: createEventStore(pool), clock, ids: createSystemIds() });

/** A clock under which whoever waits goes on when the test says so; `waits` are the times that are waited for now. */
function createSteppedClock(): { clock: Clock; waits: () => number[]; step: () => void } {
  let waiting: { ms: number; goOn: () => void }[] = [];
  const sleep: Clock["sleep"] = (ms) => new Promise((goOn) => waiting.push({ ms, goOn }));
  return {
    clock: { ...createSystemClock(), sleep },
    waits: () => waiting.map(({ ms }) => ms),
    step: () => {
      const woken = waiting;
      waiting = [];
      for (const { goOn } of woken) goOn();
    },
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.event.deleteMany();
});

const eventOf = (number: number, change: Partial<NewEvent> = {}): NewEvent => ({
  type: "workspace.opened",
  at: new Date("2026-01-15T12:00:00.000Z"),
  projectId: mine,
  changeId: null,
  data: { number },
  ...change,
});

async function append(events: Events, event: NewEvent): Promise<string> {
  return createTransactions(db)((tx) => events.append(tx, event));
}

const everything = { types: null, projectId: null, changeId: null };
const numbersOf = (read: readonly EventRecord[]): unknown[] => read.map(({ data }) => data["number"]);

describe("a list", () => {
  it("gives events in the order of commits, page by page from the one after which it is asked", async () => {
    const events = createProcess(db);
    for (let n = 1; n <= 7; n++) await append(events, eventOf(n));
    const first = await events.list({ ...everything, after: null, limit: 3 });
    const rest = await events.list({ ...everything, after: first.at(-1)?.id ?? null, limit: 9 });
    expect(numbersOf([...first, ...rest])).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(first[0]).toEqual({ id: first[0]?.id, ...eventOf(1) });
  });

  it("gives the last events first when that is asked, page by page backwards", async () => {
    const events = createProcess(db);
    for (let n = 1; n <= 5; n++) await append(events, eventOf(n));
    const newest = { ...everything, newestFirst: true, limit: 3 };
    const first = await events.list({ ...newest, after: null });
    const rest = await events.list({ ...newest, after: first.at(-1)?.id ?? null });
    expect(numbersOf([...first, ...rest])).toEqual([5, 4, 3, 2, 1]);
  });

  it("is of the asked types, and of one Project for who reads only that", async () => {
    const events = createProcess(db);
    await append(events, eventOf(1));
    await append(events, eventOf(2, { type: "workspace.closed" }));
    await append(events, eventOf(3, { projectId: theirs }));
    await append(events, eventOf(4, { projectId: null, type: "usage.cap_changed" }));
    const list = (query: Partial<typeof everything>): Promise<EventRecord[]> =>
      events.list({ ...everything, ...query, after: null, limit: 9 });
    expect(numbersOf(await list({ types: ["workspace.closed"] as never }))).toEqual([2]);
    expect(numbersOf(await list({ projectId: mine as never }))).toEqual([1, 2]);
    expect(numbersOf(await list({}))).toEqual([1, 2, 3, 4]);
  });

  it("after another Project's event or one that never was is event.not_found, the same answer", async () => {
    const events = createProcess(db);
    const foreign = await append(events, eventOf(1, { projectId: theirs }));
    for (const after of [foreign, randomUUID()]) {
      await expect(events.list({ ...everything, projectId: mine, after, limit: 9 })).rejects.toMatchObject({
        code: "event.not_found",
        message: "There is no such event.",
      });
    }
  });

  /** Which Tasks the agents of other Changes work on, and what they propose, is not for this one's. */
  it("of one Change holds its events and the whole Project's, and no other's event says where to go on", async () => {
    const events = createProcess(db);
    const [ours, others] = [randomUUID(), randomUUID()];
    const own = await append(events, eventOf(1, { changeId: ours }));
    const foreign = await append(events, eventOf(2, { changeId: others }));
    const wide = await append(events, eventOf(3));
    await append(events, eventOf(4, { projectId: theirs }));
    await append(events, eventOf(5, { projectId: null }));
    await append(events, eventOf(6, { changeId: ours }));
    const query = { types: null, projectId: mine, changeId: ours };
    const list = async (after: string | null): Promise<unknown[]> =>
      numbersOf(await events.list({ ...query, after, limit: 9 }));
    expect(await list(null)).toEqual([1, 3, 6]);
    expect(await list(own)).toEqual([3, 6]);
    expect(await list(wide)).toEqual([6]);
    const notFound = { code: "event.not_found", message: "There is no such event." };
    await expect(list(foreign)).rejects.toMatchObject(notFound);
    const connection = new AbortController();
    const follow = (lastEventId: string) =>
      events.stream({ ...query, lastEventId, signal: connection.signal });
    await expect(follow(foreign).next()).rejects.toMatchObject(notFound);
    const stream = follow(own);
    const [second, third] = [await stream.next(), await stream.next()];
    expect([second.value, third.value]).toMatchObject([{ data: { number: 3 } }, { data: { number: 6 } }]);
    connection.abort();
  });

  it("never holds an event whose transaction was rolled back", async () => {
    const events = createProcess(db);
    await expect(
      createTransactions(db)(async (tx) => {
        await events.append(tx, eventOf(1));
        throw new Error("crashed");
      }),
    ).rejects.toThrow("crashed");
    await append(events, eventOf(2));
    expect(numbersOf(await events.list({ ...everything, after: null, limit: 9 }))).toEqual([2]);
  });

  it("holds texts that the database cannot, made visible", async () => {
    const events = createProcess(db);
    await append(events, eventOf(1, { data: { text: "a\0b\uD800" } }));
    const [event] = await events.list({ ...everything, after: null, limit: 1 });
    expect(event?.data).toEqual({ text: "a\u2400b\uFFFD" });
  });
});

describe("a stream", () => {
  const read = async (stream: AsyncGenerator<EventRecord, void>, count: number): Promise<EventRecord[]> => {
    const got: EventRecord[] = [];
    while (got.length < count) {
      const next = await stream.next();
      if (next.done === true) break;
      got.push(next.value);
    }
    return got;
  };

  /**
   * A reader that misses an event never learns of it: a workspace that a page shows as open for good, a proposal that
   * nobody reviews.
   */
  it("gives every event of many writers in two processes exactly once and in order, however often it is resumed", async () => {
    const pools = [database.open(), database.open()];
    const writerCount = 8;
    const eventsEach = 25;
    const reader = createProcess(database.open());
    const start = await append(reader, eventOf(0));

    const write = async (writer: number): Promise<void> => {
      const pool = pools[writer % 2] ?? db;
      const events = createProcess(pool);
      for (let n = 0; n < eventsEach; n++) {
        await createTransactions(pool)(async (tx) => {
          await tx.$queryRaw`SELECT pg_sleep(random() * 0.01)::text`;
          await events.append(tx, eventOf(writer * 1000 + n));
          // Time between a position and its commit is when a reader without the lock would pass one by.
          await tx.$queryRaw`SELECT pg_sleep(random() * 0.01)::text`;
        });
      }
    };

    const seen: EventRecord[] = [];
    const readAll = async (): Promise<void> => {
      let lastEventId = start;
      while (seen.length < writerCount * eventsEach) {
        const connection = new AbortController();
        const stream = reader.stream({ ...everything, lastEventId, signal: connection.signal });
        const got = await read(
          stream,
          Math.min(1 + (seen.length % 13), writerCount * eventsEach - seen.length),
        );
        connection.abort();
        await stream.return();
        seen.push(...got);
        lastEventId = got.at(-1)?.id ?? lastEventId;
      }
    };
    await Promise.all([readAll(), ...Array.from({ length: writerCount }, (_, writer) => write(writer))]);

    expect(new Set(seen.map(({ id }) => id)).size).toBe(writerCount * eventsEach);
    const stored = await reader.list({ ...everything, after: start, limit: 1_000 });
    expect(seen.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    for (let writer = 0; writer < writerCount; writer++) {
      const own = numbersOf(seen).filter((number) => Math.floor(Number(number) / 1000) === writer);
      expect(own).toEqual([...own].sort((a, b) => Number(a) - Number(b)));
    }
  });

  it("without a last event begins with what is committed from now on, and looks again within half a second", async () => {
    const steps = createSteppedClock();
    const events = createProcess(db, steps.clock);
    await append(events, eventOf(1));
    const connection = new AbortController();
    const stream = events.stream({ ...everything, lastEventId: null, signal: connection.signal });
    const first = stream.next();
    await until("the stream waits", () => steps.waits().length === 1);
    await append(createProcess(database.open()), eventOf(2));
    expect(Math.max(...steps.waits())).toBeLessThanOrEqual(500);
    steps.step();
    expect((await first).value).toMatchObject({ data: { number: 2 } });
    connection.abort();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("of one Project and some types passes by all others, and resumes from one that it gave", async () => {
    const events = createProcess(db);
    const start = await append(events, eventOf(0));
    for (let n = 1; n <= 450; n++) {
      await append(events, eventOf(n, n % 150 === 0 ? { type: "workspace.closed" } : { projectId: theirs }));
    }
    await append(events, eventOf(451));
    const connection = new AbortController();
    const query = { ...everything, types: ["workspace.closed"], projectId: mine, signal: connection.signal };
    const [first] = await read(events.stream({ ...query, lastEventId: start }), 1);
    const rest = await read(events.stream({ ...query, lastEventId: first?.id ?? null }), 2);
    expect(numbersOf([first as EventRecord, ...rest])).toEqual([150, 300, 450]);
    connection.abort();
  });

  it("ends when its reader leaves while it waits", async () => {
    const connection = new AbortController();
    const steps = createSteppedClock();
    const events = createProcess(db, steps.clock);
    const stream = events.stream({ ...everything, lastEventId: null, signal: connection.signal });
    const next = stream.next();
    await until("the stream waits", () => steps.waits().length === 1);
    connection.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it("of a process with many readers asks the database once for all of them", async () => {
    const store = createEventStore(db);
    let lookCount = 0;
    let readCount = 0;
    const counting: EventStore = {
      ...store,
      lastPosition: () => (lookCount++, store.lastPosition()),
      list: (query) => store.list(query).finally(() => readCount++),
    };
    const steps = createSteppedClock();
    const events = createEvents({ store: counting, clock: steps.clock, ids: createSystemIds() });
    const connections = Array.from({ length: 50 }, () => new AbortController());
    const streams = connections.map(({ signal }) =>
      events.stream({ ...everything, lastEventId: null, signal }).next(),
    );
    await until("every stream has read", () => readCount === streams.length);
    for (let round = 1; round <= 3; round++) {
      await until("they wait again", () => steps.waits().length === 1);
      steps.step();
      await until("somebody looked", () => lookCount >= streams.length + round);
    }
    expect(lookCount).toBe(streams.length + 3);
    for (const connection of connections) connection.abort();
    await Promise.all(streams);
  });
});

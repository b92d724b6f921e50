import { expect, test } from "vitest";
import { createFakeClock } from "../../server/testing/fake-clock";
import type { EndCause } from "./command";
import { createDiskWatch, type DiskWatch } from "./disk-watch";

const limit = 1_000_000;

function createWorld(floorBytes = 0) {
  const clock = createFakeClock();
  const world = {
    clock,
    space: { freeBytes: 50_000_000, freeInodes: 1_000 },
    usage: new Map<number, number>(),
    live: new Set<number>([10_001]),
    counts: 0,
    stopped: [] as { uid: number; cause: EndCause }[],
    disk: null as unknown as DiskWatch,
  };
  world.disk = createDiskWatch({
    clock,
    diskBytesMax: limit,
    diskFloorBytes: floorBytes,
    readSpace: () => world.space,
    measure: () => {
      world.counts += 1;
      return Promise.resolve(world.usage);
    },
    liveUids: () => world.live,
    interruptUid: (uid, cause) => {
      world.stopped.push({ uid, cause });
      return Promise.resolve();
    },
  });
  world.disk.watch();
  return world;
}

test("nothing is counted while free space cannot have dropped by the limit", async () => {
  const world = createWorld();
  await world.clock.advance(5_000);
  world.space = { freeBytes: 49_500_000, freeInodes: 900 };
  await world.clock.advance(5_000);
  expect(world.counts).toBe(0);
});

test("a drop of free space or of free inodes is counted within a second, and the fullest live Run stopped", async () => {
  for (const space of [
    { freeBytes: 48_000_000, freeInodes: 1_000 },
    { freeBytes: 50_000_000, freeInodes: 700 },
  ]) {
    const world = createWorld();
    world.usage = new Map([
      [10_001, 400_000],
      [10_002, 900_000],
      [0, 9_000_000],
    ]);
    world.live = new Set([10_001, 10_002]);
    world.space = space;
    await world.clock.advance(1_000);
    expect(world.stopped[0]).toMatchObject({
      uid: 10_002,
      cause: { status: "interrupted", reason: "disk_limit" },
    });
  }
});

test("a drop that others on the host made stops nobody", async () => {
  const world = createWorld();
  world.space = { freeBytes: 10_000_000, freeInodes: 1_000 };
  await world.clock.advance(3_000);
  expect(world.counts).toBe(1);
  expect(world.stopped).toEqual([]);
});

test("a Run that holds little is not stopped for what one that is not running holds", async () => {
  const world = createWorld();
  world.usage = new Map([
    [10_001, 10_000],
    [10_002, 1_200_000],
  ]);
  world.space = { freeBytes: 40_000_000, freeInodes: 1_000 };
  await world.clock.advance(3_000);
  expect(world.stopped).toEqual([]);
  expect(() => world.disk.checkRoomFor(10_002, 1)).toThrow(expect.objectContaining({ code: "limit.size" }));
  expect(() => world.disk.checkRoomFor(10_001, 1)).not.toThrow();

  world.usage = new Map([[10_001, 10_000]]);
  world.disk.noteRemoval();
  await world.clock.advance(3_000);
  expect(() => world.disk.checkRoomFor(10_002, 1)).not.toThrow();
});

test("below the floor the fullest live Run is stopped, whatever it holds", async () => {
  const world = createWorld(45_000_000);
  world.usage = new Map([[10_001, 4_096]]);
  world.space = { freeBytes: 44_000_000, freeInodes: 1_000 };
  await world.clock.advance(1_000);
  expect(world.stopped[0]?.uid).toBe(10_001);
});

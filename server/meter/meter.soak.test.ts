import { afterAll, beforeAll, expect, it } from "vitest";
import { createSystemClock } from "../platform/clock";
import type { Db } from "../platform/db";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { raceForTheLast } from "../testing/meter-race";
import { createMeterProcess } from "../testing/meter-world";

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());

it("gives the last 300 s of a month to exactly one of 2 to 50 reservations at once, a thousand times", async () => {
  const capSeconds = 72_000;
  const processes = [database.open(), database.open()].map((pool) =>
    createMeterProcess({ db: pool, clock: createSystemClock(), environmentCapSeconds: capSeconds }),
  );
  for (let round = 0; round < 1_000; round++) {
    const racerCount = 2 + ((round * 7) % 49);
    expect(await raceForTheLast({ db, processes, capSeconds, racerCount, round })).toEqual({
      grantedCount: 1,
      totalSeconds: capSeconds,
    });
  }
});

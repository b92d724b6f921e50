import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock";
import { createFailureLimit } from "./failure-limit";

const bound = { failuresMax: 3, windowMs: 60_000 };

it("refuses a key that failed too often, says for how long, and lets it try again after that", async () => {
  const clock = createFakeClock();
  const limit = createFailureLimit({ clock, ...bound });
  limit.noteFailure("a");
  await clock.advance(20_000);
  limit.noteFailure("a");
  limit.check("a");
  limit.noteFailure("a");
  expect(() => limit.check("a")).toThrow(
    expect.objectContaining({ code: "limit.rate", details: { retryAfterSeconds: 40 } }),
  );
  limit.check("b");
  await clock.advance(40_000);
  limit.check("a");
});

it("forgets the failures of a key that succeeds", () => {
  const limit = createFailureLimit({ clock: createFakeClock(), ...bound });
  for (let n = 0; n < 3; n += 1) limit.noteFailure("a");
  limit.forget("a");
  limit.check("a");
});

it("remembers a bounded number of keys, the latest ones", () => {
  const limit = createFailureLimit({ clock: createFakeClock(), failuresMax: 1, windowMs: 60_000 });
  for (let n = 0; n <= 10_000; n += 1) limit.noteFailure(`key ${n}`);
  limit.check("key 0");
  expect(() => limit.check("key 10000")).toThrow();
});

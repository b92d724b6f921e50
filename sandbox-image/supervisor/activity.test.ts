import { expect, test } from "vitest";
import { createFakeClock } from "../../server/testing/fake-clock";
import { createActivity } from "./activity";

test("time runs from the last activity, a longer promise stands, and a running command stops it", async () => {
  const clock = createFakeClock();
  const activity = createActivity(clock, 1_000);
  await clock.advance(400);
  expect(activity.removalInMs(false)).toBe(600);
  activity.mark();
  expect(activity.removalInMs(false)).toBe(1_000);
  activity.keepFor(5_000);
  activity.keepFor(10);
  await clock.advance(1_000);
  expect(activity.removalInMs(false)).toBe(4_000);
  await clock.advance(9_000);
  expect(activity.removalInMs(false)).toBe(0);
  expect(activity.removalInMs(true)).toBe(1_000);
  await clock.advance(300);
  expect(activity.removalInMs(false)).toBe(700);
});

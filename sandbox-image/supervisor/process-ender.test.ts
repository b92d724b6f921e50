import { expect, test } from "vitest";
import { createFakeClock } from "../../server/testing/fake-clock";
import { createProcessEnder, type Signal } from "./process-ender";
import type { ProcessEntry } from "./process-table";

const scope = { uid: 10_001, session: null, isMainAlive: false, isWholeUid: true, sparedPid: null };

/** Processes that end on the signals named; `forks` of them make another at each look, until stopped. */
function createWorld(endsOn: Signal, forksLeft = 0) {
  const clock = createFakeClock();
  const sent: string[] = [];
  let alive = [1];
  let isStopped = false;
  const endProcesses = createProcessEnder({
    clock,
    readTable: () => {
      if (!isStopped && alive.length > 0 && forksLeft-- > 0) alive.push(Math.max(...alive) + 1);
      return alive.map((pid): ProcessEntry => ({
        pid,
        parentPid: 0,
        session: pid,
        uid: scope.uid,
        threads: 1,
        memoryBytes: 0,
        startTicks: pid,
        isDead: false,
      }));
    },
    send: (pid, signal) => {
      sent.push(`${signal} ${pid}`);
      if (signal === "SIGSTOP") isStopped = true;
      if (signal === endsOn || signal === "SIGKILL") alive = alive.filter((other) => other !== pid);
    },
  });
  return { endProcesses, sent, clock };
}

async function settle<Result>(
  ending: Promise<Result>,
  clock: ReturnType<typeof createFakeClock>,
): Promise<Result> {
  let isDone = false;
  void ending.finally(() => (isDone = true));
  while (!isDone) {
    await clock.advance(5);
    await Promise.resolve();
  }
  return ending;
}

test("what ends on TERM is not killed", async () => {
  const { endProcesses, sent, clock } = createWorld("SIGTERM");
  expect(
    await settle(
      endProcesses(() => scope, 1_000),
      clock,
    ),
  ).toBe(true);
  expect(sent).toEqual(["SIGTERM 1"]);
});

test("what ignores TERM is killed when the grace is over, and not before", async () => {
  const { endProcesses, sent, clock } = createWorld("SIGKILL");
  expect(
    await settle(
      endProcesses(() => scope, 1_000),
      clock,
    ),
  ).toBe(true);
  expect(sent).toEqual(["SIGTERM 1", "SIGKILL 1"]);
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(1_000);
});

test("what forks all the time is stopped first, then killed to the last", async () => {
  const { endProcesses, sent, clock } = createWorld("SIGKILL", 1_000);
  expect(
    await settle(
      endProcesses(() => scope, 0),
      clock,
    ),
  ).toBe(true);
  expect(sent[0]).toMatch(/^SIG(STOP|KILL) 1$/);
  expect(sent.some((text) => text.startsWith("SIGSTOP"))).toBe(true);
});

import { expect, it } from "vitest";
import { createSilentLogger, type Logger } from "../platform/logger";
import { createFakeClock } from "../testing/fake-clock";
import { createDecisionLog, type NewDecision } from "./decisions";

const decision: NewDecision = {
  sandboxId: null,
  source: "10.0.0.2",
  host: "a.example",
  port: 443,
  method: "CONNECT",
  verdict: "refused",
  reason: "name",
  proxyUser: null,
};

function createWorld(keptMax = 3) {
  const lines: [Record<string, unknown>, string][] = [];
  const logger: Logger = {
    info: (fields, message) => void lines.push([fields, message]),
    warn: () => {},
    error: () => {},
    child: () => logger,
  };
  return { lines, log: createDecisionLog({ clock: createFakeClock(), logger, keptMax }) };
}

it("decisions are numbered without a gap and read on from any place", () => {
  const { log } = createWorld(10);
  for (let count = 0; count < 5; count += 1) log.record(decision);
  expect(log.page({ after: 0, limit: 2 }).decisions.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(log.page({ after: 2, limit: 9 }).decisions.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  expect(log.page({ after: 5, limit: 9 })).toMatchObject({ lastSeq: 5, decisions: [] });
});

it("only the last ones are kept, and a reader can see that some are gone", () => {
  const { log } = createWorld(3);
  for (let count = 0; count < 5; count += 1) log.record(decision);
  expect(log.page({ after: 0, limit: 9 })).toMatchObject({ oldestSeq: 3, lastSeq: 5 });
});

it("each decision is one line, and so is the end of an allowed one, which its record then has too", () => {
  const { log, lines } = createWorld();
  const end = log.record({ ...decision, verdict: "allowed", reason: null }, "dialled 203.0.113.1");
  end({ bytesUp: 1, bytesDown: 2, durationMs: 3 });
  expect(lines.map(([, message]) => message)).toEqual(["decision", "end"]);
  expect(lines[0]?.[0]).toMatchObject({
    seq: 1,
    host: "a.example",
    verdict: "allowed",
    detail: "dialled 203.0.113.1",
  });
  expect(log.page({ after: 0, limit: 1 }).decisions[0]?.end).toEqual({
    bytesUp: 1,
    bytesDown: 2,
    durationMs: 3,
  });
});

it("refusals are found by Sandbox, by Run and by time, newest first", async () => {
  const clock = createFakeClock();
  const log = createDecisionLog({ clock, logger: createSilentLogger(), keptMax: 10 });
  log.record({ ...decision, host: "old.example", sandboxId: "s", proxyUser: "r" });
  await clock.advance(1_000);
  const since = clock.now().toISOString();
  log.record({ ...decision, host: "a.example", sandboxId: "s", proxyUser: "r" });
  log.record({ ...decision, host: "allowed.example", sandboxId: "s", proxyUser: "r", verdict: "allowed" });
  log.record({ ...decision, host: "other-run.example", sandboxId: "s", proxyUser: "q" });
  log.record({ ...decision, host: "other-sandbox.example", sandboxId: "t", proxyUser: "r" });
  log.record({ ...decision, host: "b.example", sandboxId: "s", proxyUser: "r" });
  const hosts = (filter: Partial<Parameters<typeof log.refused>[0]>): (string | null)[] =>
    log
      .refused({ sandboxId: null, proxyUser: null, since: null, limit: 9, ...filter })
      .map(({ host }) => host);
  expect(hosts({ sandboxId: "s", proxyUser: "r", since })).toEqual(["b.example", "a.example"]);
  expect(hosts({ sandboxId: "s", proxyUser: "r" })).toEqual(["b.example", "a.example", "old.example"]);
  expect(hosts({ limit: 2 })).toEqual(["b.example", "other-sandbox.example"]);
});

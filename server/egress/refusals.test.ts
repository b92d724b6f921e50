import { expect, it } from "vitest";
import { createSilentLogger } from "../platform/logger";
import type { EgressControl, RefusedDecision } from "./control";
import { createRefusals } from "./refusals";

const refused = (host: string, second: number, more: Partial<RefusedDecision> = {}): RefusedDecision => ({
  at: `2026-01-01T00:00:0${second}.000Z`,
  sandboxId: "proj-1",
  host,
  port: 443,
  reason: "name",
  proxyUser: "run-1",
  ...more,
});

function createWorld(
  listRefused: (...asked: Parameters<EgressControl["listRefused"]>) => Promise<RefusedDecision[]>,
) {
  return createRefusals({
    control: { listRefused },
    allowlist: { list: () => Promise.resolve([{ host: "a.example", source: "environment", address: null }]) },
    logger: createSilentLogger(),
  });
}

it("puts equal refusals together, newest first, and keeps Runs, ports and reasons apart", async () => {
  const world = createWorld(() =>
    Promise.resolve([
      refused("b.example", 5),
      refused("c.example", 4),
      refused("b.example", 3),
      refused("b.example", 2, { proxyUser: "run-2" }),
      refused("b.example", 1, { port: 8443, reason: "port" }),
    ]),
  );
  expect(
    (await world.recent())?.map(({ host, port, proxyUser, count }) => [host, port, proxyUser, count]),
  ).toEqual([
    ["b.example", 443, "run-1", 2],
    ["c.example", 443, "run-1", 1],
    ["b.example", 443, "run-2", 1],
    ["b.example", 8443, "run-1", 1],
  ]);
});

it("asks for one Run of one Sandbox since a time, and names the allowlist only when something was refused", async () => {
  const filters: unknown[] = [];
  const asked = { runId: "run-1", sandboxId: "proj-1", since: new Date("2026-01-01T00:00:00Z") };
  const world = createWorld((filter, timeoutMs) => {
    filters.push({ ...filter, timeoutMs });
    return Promise.resolve(filters.length === 1 ? [refused("c.example", 2), refused("b.example", 1)] : []);
  });
  expect(await world.ofRun(asked)).toMatchObject({
    refused: [{ host: "b.example" }, { host: "c.example" }],
    allowed: ["a.example"],
  });
  expect(await world.ofRun(asked)).toEqual({ refused: [], allowed: [] });
  expect(filters[0]).toMatchObject({
    sandboxId: "proj-1",
    proxyUser: "run-1",
    since: "2026-01-01T00:00:00.000Z",
    timeoutMs: 200,
  });
});

it("knows nothing, and breaks nothing, when egress does not answer", async () => {
  const world = createWorld(() => Promise.reject(new Error("unreachable")));
  expect(await world.recent()).toBeNull();
  expect(await world.ofRun({ runId: "r", sandboxId: "s", since: new Date(0) })).toBeNull();
});

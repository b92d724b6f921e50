import { expect, it } from "vitest";
import { withSamples } from "./use-samples";
import type { SandboxList } from "../_rules/sandbox-list";

const look = (asOf: string, ids: readonly string[]): Pick<SandboxList, "items"> => ({
  items: ids.map((id) => ({
    id,
    asOf,
    usage: { cpuPercent: 1, memoryBytes: 2, processes: 3, diskBytes: 4 },
  })) as unknown as SandboxList["items"],
});

it("a look adds one sample to each Sandbox, once, keeps the last sixty, and forgets what is gone", () => {
  let samples = withSamples(new Map(), look("0", ["a", "b"]));
  samples = withSamples(samples, look("0", ["a", "b"]));
  expect(samples.get("a")).toHaveLength(1);
  for (let n = 1; n < 100; n += 1) samples = withSamples(samples, look(String(n), ["a"]));
  expect(samples.get("a")).toHaveLength(60);
  expect(samples.get("a")?.at(-1)?.asOf).toBe("99");
  expect(samples.has("b")).toBe(false);
});

import { expect, it } from "vitest";
import { describeEnd } from "./container-end";
import type { ContainerFacts } from "./engine";
import type { SandboxEndReason, SandboxRuntime } from "./types";

const facts = (change: Partial<ContainerFacts>): ContainerFacts => ({
  id: "1",
  name: "x",
  state: "exited",
  labels: {},
  imageId: "",
  startedAt: "",
  exitCode: 0,
  wasOutOfMemory: false,
  networks: [],
  ...change,
});

it.each<[string, Partial<ContainerFacts> | null, SandboxRuntime, boolean, SandboxEndReason | null]>([
  ["runs", { state: "running" }, "runc", false, null],
  ["runs after a child's death of memory", { state: "running", wasOutOfMemory: true }, "runc", false, null],
  ["was removed by hand", null, "runc", false, "lost"],
  ["was paused", { state: "paused" }, "runc", false, "drifted"],
  ["died of memory", { exitCode: 137, wasOutOfMemory: true }, "runc", false, "out_of_memory"],
  ["died of memory under gVisor", { exitCode: 137, wasOutOfMemory: true }, "runsc", false, "out_of_memory"],
  ["died under gVisor without a mark", { exitCode: 128 }, "runsc", false, "out_of_memory"],
  ["was killed by hand", { exitCode: 137 }, "runsc", false, "lost"],
  [
    "ended by itself long after a child's death of memory",
    { exitCode: 0, wasOutOfMemory: true },
    "runc",
    false,
    "lost",
  ],
  ["was ended by a restart of the engine", { exitCode: 255 }, "runc", true, "engine_restarted"],
])("a container that %s: %s on %s", (_what, change, runtime, wasEngineLost, reason) => {
  const end = describeEnd(change === null ? null : facts(change), { runtime, memoryMb: 512, wasEngineLost });
  expect(end?.reason ?? null).toBe(reason);
  if (reason === "out_of_memory") expect(end?.detail).toContain("limit 512 MB");
});

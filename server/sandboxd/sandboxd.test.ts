import { afterEach, describe, expect, it } from "vitest";
import { createSystemClock, type Clock } from "../platform/clock";
import { parseSettings } from "../platform/config";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger } from "../platform/logger";
import { createFakeEngine, type FakeEngine } from "../testing/fake-engine";
import { testCommand } from "../testing/sandbox-command";
import { until } from "../testing/until";
import { EngineError } from "./engine";
import { parseSandboxId } from "./sandbox-id";
import { createSandboxd, type Sandboxd } from "./sandboxd";
import type { SandboxId } from "./types";

const instance = { id: "00000000-0000-4000-8000-000000000001", suffix: "00000000" };

/** The real clock runs a hundred times faster here: waits of the code under test are only a matter of order. */
const hurriedClock = (): Clock => {
  const clock = createSystemClock();
  return {
    ...clock,
    monotonicMs: () => clock.monotonicMs() * 100,
    sleep: (ms, signal) => clock.sleep(ms / 100, signal),
  };
};

const running: Sandboxd[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.stop();
});

function startOn(engine: FakeEngine, env: Record<string, string> = {}): Sandboxd {
  const sandboxd = createSandboxd({
    engine,
    connect: (stream) => engine.connect(stream),
    listHostSubnets: () => Promise.resolve([]),
    settings: parseSettings({ SANDBOX_MAX: "3", SANDBOX_WARM: "0", ...env }),
    instance,
    clock: hurriedClock(),
    ids: createSystemIds(),
    logger: createSilentLogger(),
  });
  sandboxd.start();
  running.push(sandboxd);
  return sandboxd;
}

function sandboxId(n: number): SandboxId {
  const id = parseSandboxId(`proj-00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
  if (id === null) throw new Error("a sandbox ID");
  return id;
}

const containerIdOf = (engine: FakeEngine, id: SandboxId): string => {
  const found = [...engine.containers.values()].find(({ name }) => name.endsWith(id));
  if (found === undefined) throw new Error(`no container of ${id}`);
  return found.id;
};

describe("sandboxd", () => {
  it("lets exactly one of 20 in when two of three places are taken", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    await Promise.all([1, 2].map((n) => sandboxes.ensure({ sandboxId: sandboxId(n) })));
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sandboxes.ensure({ sandboxId: sandboxId(n + 10) })),
    );
    expect(results.filter(({ status }) => status === "live")).toHaveLength(1);
    expect(engine.containers.size).toBe(3);
  });

  it("frees the place when a start fails, so that the twenty-first try works at once", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    engine.failures.set("startContainer", new EngineError("refused", "no"));
    for (let n = 0; n < 20; n++) {
      await expect(sandboxes.ensure({ sandboxId: sandboxId(n) })).rejects.toMatchObject({
        code: "sandbox.start_failed",
      });
    }
    engine.failures.clear();
    expect(await sandboxes.ensure({ sandboxId: sandboxId(1) })).toMatchObject({ status: "live" });
    expect(engine.containers.size).toBe(1);
  });

  it("says which image is missing and leaves nothing behind", async () => {
    const engine = createFakeEngine(instance);
    engine.image = null;
    const { sandboxes, describeHealth } = startOn(engine);
    await expect(sandboxes.ensure({ sandboxId: sandboxId(1) })).rejects.toMatchObject({
      code: "sandbox.image_missing",
    });
    expect(engine.containers.size).toBe(0);
    expect(await describeHealth()).toMatchObject({
      status: "down",
      components: { image: { status: "down" } },
    });
  });

  it("does not create a second container when the engine does not answer to the first", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    engine.failures.set("createContainer", new EngineError("unavailable", "no answer"));
    const call = sandboxes.ensure({ sandboxId: sandboxId(1) });
    await expect(call).rejects.toMatchObject({ code: "sandbox.engine_unavailable" });
    expect(engine.calls.filter((name) => name === "createContainer")).toHaveLength(1);
  });

  it("counts a place as taken until the engine has the container no more", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine, { SANDBOX_MAX: "1" });
    await sandboxes.ensure({ sandboxId: sandboxId(1) });
    engine.failures.set("removeContainer", new EngineError("refused", "device busy"));
    const removing = sandboxes.remove({ sandboxId: sandboxId(1) });
    await until(
      "it is being removed",
      async () => (await sandboxes.find(sandboxId(1)))?.state === "removing",
    );
    expect(await sandboxes.ensure({ sandboxId: sandboxId(2) })).toMatchObject({ status: "refused", used: 1 });
    engine.failures.clear();
    await removing;
    expect(await sandboxes.ensure({ sandboxId: sandboxId(2) })).toMatchObject({ status: "live" });
  });

  it("ends a command as interrupted when its container dies, with the reason, and starts a fresh one after", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    await sandboxes.ensure({ sandboxId: sandboxId(1) });
    const containerId = containerIdOf(engine, sandboxId(1));
    const ending = sandboxes.exec({ sandboxId: sandboxId(1), ...testCommand(["sleep"]) });
    await until("it has started", () =>
      engine.supervisorsOf(containerId).some((one) => one.started.length > 0),
    );
    engine.die(containerId, 137);
    expect(await ending).toMatchObject({ status: "interrupted", exitCode: null, reason: "sandbox_gone" });
    const fresh = await sandboxes.ensure({ sandboxId: sandboxId(1) });
    expect(fresh).toMatchObject({ status: "live" });
    expect(containerIdOf(engine, sandboxId(1))).not.toBe(containerId);
  });

  it("removes an idle Sandbox, but none in which a command runs", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    for (const n of [1, 2]) await sandboxes.ensure({ sandboxId: sandboxId(n) });
    const [idle, busy] = [1, 2].map(
      (n) => engine.supervisorsOf(containerIdOf(engine, sandboxId(n)))[0]?.state,
    );
    if (busy !== undefined) Object.assign(busy, { idleRemovalInMs: 0, runningCommands: 1 });
    if (idle !== undefined) Object.assign(idle, { idleRemovalInMs: 0 });
    await until("the idle one is gone", async () => (await sandboxes.find(sandboxId(1)))?.state === "gone");
    expect(await sandboxes.find(sandboxId(1))).toMatchObject({ endReason: "idle" });
    expect(await sandboxes.find(sandboxId(2))).toMatchObject({ state: "live", idleRemovalInMs: null });
  });

  it("mends a lost connection without starting the command again", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    await sandboxes.ensure({ sandboxId: sandboxId(1) });
    const containerId = containerIdOf(engine, sandboxId(1));
    const ending = sandboxes.exec({ sandboxId: sandboxId(1), ...testCommand(["sleep"]) });
    await until("it has started", () => engine.supervisorsOf(containerId)[0]?.started.length === 1);
    engine.supervisorsOf(containerId)[0]?.lose();
    await until("there is a new connection", () => engine.supervisorsOf(containerId).length === 2);
    await sandboxes.remove({ sandboxId: sandboxId(1) });
    expect(await ending).toMatchObject({ status: "interrupted", reason: "sandbox_gone" });
    expect(engine.supervisorsOf(containerId)[0]?.started).toHaveLength(1);
  });

  it("takes over what the one before left: live ones stay, half-made ones go", async () => {
    const engine = createFakeEngine(instance);
    const before = startOn(engine);
    await before.sandboxes.ensure({ sandboxId: sandboxId(1) });
    const containerId = containerIdOf(engine, sandboxId(1));
    before.stop();
    const [made] = engine.containers.values();
    if (made !== undefined)
      engine.containers.set("half", {
        ...made,
        id: "half",
        name: "rhumbatron-00000000-warm-x",
        state: "created",
      });
    const { sandboxes } = startOn(engine);
    await until("the half-made one is gone", () => !engine.containers.has("half"));
    expect(await sandboxes.ensure({ sandboxId: sandboxId(1) })).toMatchObject({
      status: "live",
      sandbox: { runtimeId: containerId },
    });
  });

  it("answers with a typed error while the engine is away, and works again when it is back", async () => {
    const engine = createFakeEngine(instance);
    engine.failures.set("listContainers", new EngineError("unavailable", "no answer"));
    const { sandboxes } = startOn(engine);
    await expect(sandboxes.list()).rejects.toMatchObject({ code: "sandbox.engine_unavailable" });
    engine.failures.clear();
    expect(await sandboxes.ensure({ sandboxId: sandboxId(1) })).toMatchObject({ status: "live" });
  });

  it("takes the next subnet when the engine says that one overlaps", async () => {
    const engine = createFakeEngine(instance);
    engine.takenSubnets.add("10.231.0.0/28");
    const { sandboxes } = startOn(engine);
    await sandboxes.ensure({ sandboxId: sandboxId(1) });
    const subnets = [...engine.networks.values()].map(({ subnets }) => subnets[0]?.subnet);
    expect(subnets).toEqual(["10.231.0.16/28", "10.231.0.32/28", "10.231.0.48/28"]);
  });

  it("refuses the 65th call under way in one Sandbox", async () => {
    const engine = createFakeEngine(instance);
    const { sandboxes } = startOn(engine);
    await sandboxes.ensure({ sandboxId: sandboxId(1) });
    const ends = Array.from({ length: 64 }, () =>
      sandboxes.exec({ sandboxId: sandboxId(1), ...testCommand(["sleep"]) }),
    );
    await until(
      "all have started",
      () => engine.supervisorsOf(containerIdOf(engine, sandboxId(1)))[0]?.started.length === 64,
    );
    await expect(sandboxes.touch({ sandboxId: sandboxId(1) })).rejects.toMatchObject({ code: "limit.rate" });
    await sandboxes.remove({ sandboxId: sandboxId(1) });
    expect((await Promise.all(ends)).every(({ status }) => status === "interrupted")).toBe(true);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createEngineInstance,
  newSandboxId,
  type EngineInstance,
  type RunningSandboxd,
} from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { ensureLive, runInSandbox, testCommand, testDirectory, testUid } from "../testing/sandbox-command";
import { until } from "../testing/until";
import { sandboxContainerName } from "../platform/instance";

describe.each(testRuntimes)("sandboxd on %s", (runtime) => {
  let one: EngineInstance;
  let running: RunningSandboxd;

  beforeAll(async () => {
    one = await createEngineInstance(runtime, { SANDBOX_MAX: "3", SANDBOX_WARM: "1" });
    await one.startServices();
    running = await one.startSandboxd();
  });
  afterAll(() => one.close());

  const removeLive = async (): Promise<void> => {
    const { live } = await one.sandboxes.list();
    await Promise.all(live.map(({ sandboxId }) => one.sandboxes.remove({ sandboxId })));
  };
  const whenWarm = (): Promise<boolean> =>
    until("a warm container", async () => (await one.sandboxes.list()).warmCount === 1);

  it("joins 32 callers of one Sandbox to one start", async () => {
    const sandboxId = newSandboxId();
    const results = await Promise.all(Array.from({ length: 32 }, () => ensureLive(one.sandboxes, sandboxId)));
    expect(new Set(results.map(({ runtimeId }) => runtimeId)).size).toBe(1);
    const named = (await one.listSandboxContainers()).filter(({ Names }) => Names[0]?.includes(sandboxId));
    expect(named).toHaveLength(1);
    await removeLive();
  });

  /** When this breaks, a host runs more Sandboxes than it has room for. */
  it("lets exactly one of 20 in when all places but one are taken, and says no to the others without a container", async () => {
    await Promise.all([ensureLive(one.sandboxes, newSandboxId()), ensureLive(one.sandboxes, newSandboxId())]);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => one.sandboxes.ensure({ sandboxId: newSandboxId() })),
    );
    expect(results.filter(({ status }) => status === "live")).toHaveLength(1);
    const refusal = results.find(({ status }) => status === "refused");
    expect(refusal).toMatchObject({ reason: "sandbox_max", limit: 3, used: 3 });
    const named = (await one.listSandboxContainers()).filter(({ Names }) => Names[0]?.includes("proj-"));
    expect(named).toHaveLength(3);
    await removeLive();
  });

  it("gives the container that was started ahead, and starts the next one by itself", async () => {
    await whenWarm();
    const before = await one.listSandboxContainers();
    const { runtimeId } = await ensureLive(one.sandboxes, newSandboxId());
    expect(before.map(({ Id }) => Id)).toContain(runtimeId);
    await whenWarm();
    await removeLive();
  });

  it("starts a fresh one when it is asked for during its removal", async () => {
    const sandboxId = newSandboxId();
    const first = await ensureLive(one.sandboxes, sandboxId);
    const [, second] = await Promise.all([
      one.sandboxes.remove({ sandboxId }),
      ensureLive(one.sandboxes, sandboxId),
    ]);
    expect(second.runtimeId).not.toBe(first.runtimeId);
    expect(await runInSandbox(one.sandboxes, sandboxId, ["echo", "fresh"])).toMatchObject({
      exitCode: 0,
      stdout: "fresh\n",
    });
    await removeLive();
  });

  it("ends a command as interrupted when its container is killed, says so, and frees the place", async () => {
    const sandboxId = newSandboxId();
    const { runtimeId } = await ensureLive(one.sandboxes, sandboxId);
    await one.sandboxes.prepareRun({ sandboxId, uid: testUid, directory: testDirectory });
    let hasOutput = false;
    const ending = one.sandboxes.exec(
      { sandboxId, ...testCommand(["sh", "-c", "echo on; sleep 60"]) },
      () => {
        hasOutput = true;
      },
    );
    await until("the command runs", () => hasOutput);
    await one.docker.getContainer(runtimeId).kill();
    expect(await ending).toMatchObject({ status: "interrupted", exitCode: null, reason: "sandbox_gone" });
    const gone = await until("the Sandbox is gone", async () => {
      const record = await one.sandboxes.find(sandboxId);
      return record?.state === "gone" && record;
    });
    expect(gone).toMatchObject({ endReason: "lost" });
    expect((await one.sandboxes.list()).live).toEqual([]);
    await expect(one.sandboxes.touch({ sandboxId })).rejects.toMatchObject({ code: "sandbox.not_found" });
  });

  it("ends commands and calls as interrupted when the Sandbox is removed", async () => {
    const sandboxId = newSandboxId();
    await ensureLive(one.sandboxes, sandboxId);
    await one.sandboxes.prepareRun({ sandboxId, uid: testUid, directory: testDirectory });
    let hasOutput = false;
    const ending = one.sandboxes.exec(
      { sandboxId, ...testCommand(["sh", "-c", "echo on; sleep 60"]) },
      () => {
        hasOutput = true;
      },
    );
    await until("the command runs", () => hasOutput);
    await one.sandboxes.remove({ sandboxId });
    expect(await ending).toMatchObject({ status: "interrupted", exitCode: null, reason: "sandbox_gone" });
    expect(await one.sandboxes.find(sandboxId)).toMatchObject({ state: "gone", endReason: "removed" });
    await one.sandboxes.remove({ sandboxId });
  });

  it("removes a paused container and gives a renamed one its name back", async () => {
    const paused = newSandboxId();
    const renamed = newSandboxId();
    const first = await ensureLive(one.sandboxes, paused);
    const second = await ensureLive(one.sandboxes, renamed);
    await one.docker.getContainer(first.runtimeId).pause();
    await one.docker.getContainer(second.runtimeId).rename({ name: `mistaken-${one.instance.suffix}` });
    await until("the paused one is gone", async () => (await one.sandboxes.find(paused))?.state === "gone");
    expect(await one.sandboxes.find(paused)).toMatchObject({ endReason: "drifted" });
    await until("the name is back", async () => {
      const { Name } = await one.docker.getContainer(second.runtimeId).inspect();
      return Name === `/${sandboxContainerName(one.instance, renamed)}`;
    });
    expect(await one.sandboxes.find(renamed)).toMatchObject({ state: "live", runtimeId: second.runtimeId });
    await removeLive();
  });

  it("names memory as the reason when it ended the Sandbox, and keeps the Sandbox when it ended a command", async () => {
    const sandboxId = newSandboxId();
    const { runtimeId } = await ensureLive(one.sandboxes, sandboxId);
    const hog = await one.docker.getContainer(runtimeId).exec({
      Cmd: ["bun", "-e", "const kept = []; for (;;) kept.push(Buffer.alloc(16 << 20, 1));"],
    });
    await hog.start({ Detach: true });
    if (runtime === "runsc") {
      await until("the Sandbox is gone", async () => (await one.sandboxes.find(sandboxId))?.state === "gone");
      expect(await one.sandboxes.find(sandboxId)).toMatchObject({ endReason: "out_of_memory" });
    } else {
      await until("the hog is dead", async () => !(await hog.inspect()).Running);
      expect(await runInSandbox(one.sandboxes, sandboxId, ["echo", "alive"])).toMatchObject({ exitCode: 0 });
      await removeLive();
    }
  });

  it("is answered by a typed error for input that is out of bounds", async () => {
    const sandboxId = newSandboxId();
    await ensureLive(one.sandboxes, sandboxId);
    const bad = [
      { uid: 0 },
      { argv: [] },
      { argv: ["a\0b"] },
      { cwd: "here" },
      { env: { "A B": "" } },
      { timeoutMs: 1_800_001 },
    ];
    for (const part of bad) {
      const call = one.sandboxes.exec({ sandboxId, ...testCommand(["true"]), ...(part as object) });
      await expect(call).rejects.toMatchObject({ code: "input.invalid" });
    }
    await removeLive();
  });

  it("takes over what runs when it is started anew, and removes what nobody uses, of its own instance only", async () => {
    const sandboxId = newSandboxId();
    const { runtimeId } = await ensureLive(one.sandboxes, sandboxId);
    await whenWarm();
    const other = await createEngineInstance(runtime);
    try {
      await other.startSandboxd();
      const strangerId = newSandboxId();
      const stranger = await ensureLive(other.sandboxes, strangerId);
      await running.stop();
      const halfMade = await one.docker.createContainer({
        name: sandboxContainerName(one.instance, `warm-${"a".repeat(32)}`),
        Image: one.settings.SANDBOX_IMAGE,
        Labels: {
          "rhumbatron.instance": one.instance.id,
          "rhumbatron.purpose": "sandbox",
          "rhumbatron.network": "9",
        },
      });
      running = await one.startSandboxd();
      await until("the half-made one is gone", async () => {
        return !(await one.listSandboxContainers()).some(({ Id }) => Id === halfMade.id);
      });
      expect(await ensureLive(one.sandboxes, sandboxId)).toEqual({ runtimeId });
      expect((await one.sandboxes.list()).live).toHaveLength(1);
      await whenWarm();
      expect(await other.sandboxes.find(strangerId)).toMatchObject({
        state: "live",
        runtimeId: stranger.runtimeId,
      });
    } finally {
      await other.close();
    }
    await removeLive();
  });
});

import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "../platform/clock";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { ensureLive, testCommand, testDirectory, testUid } from "../testing/sandbox-command";
import { until } from "../testing/until";

/** What breaks here loses a command's output or result, or leaves containers behind, whenever sandboxd crashes. */
describe.each(testRuntimes)("sandboxd is killed on %s", (runtime) => {
  let one: EngineInstance;
  let child: ChildProcess;

  beforeEach(async () => {
    one = await createEngineInstance(runtime, { SANDBOX_MAX: "2", SANDBOX_WARM: "1" });
    child = await one.startSandboxdProcess();
  });
  afterEach(() => one.close());

  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };

  it("and the next one follows a running command on: each line arrives once, and so does the exit code", async () => {
    const sandboxId = newSandboxId();
    const { runtimeId } = await ensureLive(one.sandboxes, sandboxId);
    await one.sandboxes.prepareRun({ sandboxId, uid: testUid, directory: testDirectory });
    const script = `
      for (let i = 0; i < 200; i++) { console.log("line " + i); await Bun.sleep(10); }
      while (!(await Bun.file("go").exists())) await Bun.sleep(50);
      for (let i = 200; i < 400; i++) console.log("line " + i);
      process.exit(7);
    `;
    let text = "";
    const ending = one.sandboxes.exec({ sandboxId, ...testCommand(["bun", "-e", script]) }, ({ bytes }) => {
      text += Buffer.from(bytes).toString("utf8");
    });
    for (const line of ["line 30\n", "line 199\n"]) {
      await until(line, () => text.includes(line));
      await kill();
      child = await one.startSandboxdProcess();
    }
    const target = { sandboxId, uid: testUid, root: testDirectory, path: "go" };
    await one.sandboxes.writeFile({ ...target, bytes: new Uint8Array(0), mode: null });
    expect(await ending).toMatchObject({ status: "exited", exitCode: 7 });
    expect(text).toBe(Array.from({ length: 400 }, (_, index) => `line ${index}\n`).join(""));
    expect(await ensureLive(one.sandboxes, sandboxId)).toEqual({ runtimeId });
  });

  it("during starts and removals, and the next one has each Sandbox once and nothing besides", async () => {
    const clock = createSystemClock();
    const kept = newSandboxId();
    const { runtimeId } = await ensureLive(one.sandboxes, kept);
    for (const delayMs of [50, 700]) {
      const started = newSandboxId();
      const ensuring = one.sandboxes.ensure({ sandboxId: started });
      await clock.sleep(delayMs);
      await kill();
      child = await one.startSandboxdProcess();
      expect(await ensuring).toMatchObject({ status: "live" });
      const removing = one.sandboxes.remove({ sandboxId: started });
      await clock.sleep(delayMs / 7);
      await kill();
      child = await one.startSandboxdProcess();
      await removing;
    }
    await until("only the kept and the warm one are left", async () => {
      const { live, warmCount } = await one.sandboxes.list();
      const containers = await one.listSandboxContainers();
      return live.length === 1 && warmCount === 1 && containers.length === 2;
    });
    expect(await one.sandboxes.find(kept)).toMatchObject({ state: "live", runtimeId });
  });

  it("by SIGTERM: a call under way gets a typed error or its answer from the next one, and containers live on", async () => {
    const sandboxId = newSandboxId();
    const { runtimeId } = await ensureLive(one.sandboxes, sandboxId);
    await one.sandboxes.prepareRun({ sandboxId, uid: testUid, directory: testDirectory });
    let hasOutput = false;
    const ending = one.sandboxes.exec(
      { sandboxId, ...testCommand(["sh", "-c", "echo on; sleep 3; exit 4"]) },
      () => {
        hasOutput = true;
      },
    );
    await until("the command runs", () => hasOutput);
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect((await one.docker.getContainer(runtimeId).inspect()).State.Running).toBe(true);
    child = await one.startSandboxdProcess();
    expect(await ending).toMatchObject({ status: "exited", exitCode: 4 });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { ensureLive, runInSandbox } from "../testing/sandbox-command";
import { until } from "../testing/until";

/** What breaks here shows only with time: places, networks, streams or memory that are not given back. */
describe.each(testRuntimes)("sandboxd over a long time on %s", (runtime) => {
  let one: EngineInstance;

  beforeAll(async () => {
    one = await createEngineInstance(runtime, { SANDBOX_MAX: "4", SANDBOX_WARM: "1" });
    await one.startServices();
    await one.startSandboxd();
  });
  afterAll(() => one.close());

  it("starts and removes 200 Sandboxes in a row, and holds no more than at the beginning", async () => {
    const networks = async (): Promise<number> =>
      (await one.docker.listNetworks({ filters: { label: [`rhumbatron.instance=${one.instance.id}`] } }))
        .length;
    const cycle = async (): Promise<void> => {
      const sandboxId = newSandboxId();
      await ensureLive(one.sandboxes, sandboxId);
      expect(await runInSandbox(one.sandboxes, sandboxId, ["echo", "on"])).toMatchObject({
        exitCode: 0,
        stdout: "on\n",
      });
      await one.sandboxes.remove({ sandboxId });
    };
    for (let count = 0; count < 20; count++) await cycle();
    await until("the warm one is back", async () => (await one.sandboxes.list()).warmCount === 1);
    const networksBefore = await networks();
    const heapBefore = process.memoryUsage().heapUsed;
    for (let count = 0; count < 180; count++) await cycle();
    await until("only the warm one is left", async () => (await one.listSandboxContainers()).length === 1);
    expect(await networks()).toBe(networksBefore);
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(64 * 1_048_576);
  }, 1_800_000);

  it("runs 1000 commands in one Sandbox, each with its own output and exit code", async () => {
    const sandboxId = newSandboxId();
    await ensureLive(one.sandboxes, sandboxId);
    for (let count = 0; count < 1000; count++) {
      const end = await runInSandbox(one.sandboxes, sandboxId, [
        "sh",
        "-c",
        `echo ${count}; exit ${count % 100}`,
      ]);
      expect(end).toMatchObject({ status: "exited", exitCode: count % 100, stdout: `${count}\n` });
    }
    await one.sandboxes.remove({ sandboxId });
  }, 1_800_000);
});

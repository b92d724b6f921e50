import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Supervisor } from "../../server/sandboxd/supervisor";
import { testRuntimes } from "../../server/testing/int-environment";
import { startTestSandbox, type TestSandbox } from "../../server/testing/sandbox-container";
import { prepareTestRun } from "../../server/testing/sandbox-run";

const mebibyte = 1024 * 1024;

describe.each(testRuntimes)("very long output on %s", (runtime) => {
  let sandbox: TestSandbox;
  let supervisor: Supervisor;

  beforeAll(async () => {
    sandbox = await startTestSandbox(runtime);
    supervisor = await sandbox.connect();
  });
  afterAll(() => sandbox.remove());

  test("ten gigabytes are counted to the byte and cost the supervisor no memory", async () => {
    const run = await prepareTestRun(supervisor);
    const bytes = 10_000 * mebibyte;
    const memoryBefore = (await supervisor.status()).usage.memoryBytes;
    const { end } = await run.shell(`yes | head -c ${bytes}`, { timeoutMs: 1_500_000 });
    expect(end).toMatchObject({ status: "exited", exitCode: 0, stdoutBytes: bytes });
    expect((await supervisor.status()).usage.memoryBytes - memoryBefore).toBeLessThan(150 * mebibyte);
  });
});

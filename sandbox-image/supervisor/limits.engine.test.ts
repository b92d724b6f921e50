import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Supervisor } from "../../server/sandboxd/supervisor";
import { testRuntimes } from "../../server/testing/int-environment";
import { startTestSandbox, type TestSandbox } from "../../server/testing/sandbox-container";
import { prepareTestRun, type TestRun } from "../../server/testing/sandbox-run";

const mebibyte = 1024 * 1024;

describe.each(testRuntimes)("limits on %s", (runtime) => {
  let sandbox: TestSandbox;
  let supervisor: Supervisor;
  let hog: TestRun;
  let other: TestRun;

  beforeAll(async () => {
    sandbox = await startTestSandbox(runtime, { memoryMb: 512, processesMax: 128, diskMb: 128 });
    supervisor = await sandbox.connect();
    [hog, other] = [await prepareTestRun(supervisor), await prepareTestRun(supervisor)];
  });
  afterAll(() => sandbox.remove());

  /** The other Run gets an answer or an error that says: ask again. */
  async function askOther(): Promise<string> {
    const outcomes = await Promise.allSettled([
      other.exec(["true"]),
      other.writeText("x", "x"),
      other.readText("x"),
    ]);
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    for (const { reason } of failed) expect(reason).toMatchObject({ code: "limit.rate" });
    return failed.length === 0 ? "answered" : "ask again";
  }

  test("a command that takes all memory, itself or by a child, ends as out of memory, and the Sandbox goes on", async () => {
    const itself = await hog.program("const a=[]; for(;;) a.push(new Uint8Array(1e7).fill(1))");
    expect(itself.end).toMatchObject({ reason: "out_of_memory", signal: "SIGKILL" });
    expect(itself.end.message).toContain("out of memory, limit 512 MB");
    const byChild = await hog.shell(
      "bun -e 'const a=[]; for(;;) a.push(new Uint8Array(1e7).fill(1))'; exit 3",
    );
    expect(byChild.end).toMatchObject({ reason: "out_of_memory" });
    expect(byChild.end.message).toContain("out of memory, limit 512 MB");
    expect((await hog.exec(["true"])).end).toMatchObject({ status: "exited", exitCode: 0, reason: null });
  });

  test.each([
    ["a fork bomb", "f() { while :; do (sleep 60 &); done; }; f & f & f & wait"],
    ["a fork bomb out of its session", "f() { while :; do setsid sh -c 'sleep 60 &' & done; }; f & f & wait"],
    [
      "a fork bomb that ignores TERM",
      "trap '' TERM; while :; do sh -c 'trap \"\" TERM; sleep 60 & sleep 60' & done",
    ],
  ])("%s is ended with all it made, and the other Run is answered meanwhile", async (_name, script) => {
    const bomb = hog.shell(`exec 2>/dev/null; ${script}`, { timeoutMs: 5_000 });
    let isOver = false;
    void bomb.finally(() => (isOver = true)).catch(() => undefined);
    const answers: string[] = [];
    do answers.push(await askOther());
    while (!isOver);
    expect(answers).toContain("answered");
    const { end } = await bomb;
    expect(["timed_out", "process_limit", "ended by itself"]).toContain(
      end.status === "timed_out" ? "timed_out" : (end.reason ?? "ended by itself"),
    );
    const left = await sandbox.asRoot([
      "sh",
      "-c",
      `ps -eo uid,stat,args | grep '^ *${hog.uid} ' | grep -v -e helper -e ' Z'`,
    ]);
    expect(left.stdout).toBe("");
    expect((await hog.exec(["true"])).end.exitCode).toBe(0);
  });

  test("a Run that fills the disk is stopped at the limit, the other goes on, and there is room again after deleting", async () => {
    const neighbour = await other.start(["sh", "-c", "while [ ! -e stop ]; do sleep 0.2; done; echo whole"]);
    const { end } = await hog.shell(
      "i=0; while :; do dd if=/dev/zero of=$TMPDIR/$i bs=1M count=10 2>/dev/null; sleep 0.1; i=$((i+1)); done",
    );
    expect(end).toMatchObject({ status: "interrupted", reason: "disk_limit" });
    expect(end.message).toContain("128 MB");
    await expect(hog.writeText("more", "x".repeat(1000))).rejects.toMatchObject({ code: "limit.size" });
    expect((await supervisor.status()).usage.diskBytes).toBeGreaterThan(128 * mebibyte);
    expect((await other.exec(["true"])).end.exitCode).toBe(0);
    await other.shell("touch stop");
    expect(await other.follow(neighbour)).toMatchObject({ end: { status: "exited" }, stdout: "whole\n" });
    await hog.shell("rm -rf $TMPDIR/*");
    await expect
      .poll(
        async () =>
          hog.writeText("more", "x").then(
            () => "written",
            () => "refused",
          ),
        { timeout: 30_000 },
      )
      .toBe("written");
  });

  test("one file cannot grow past the limit, and very many empty ones are counted as well", async () => {
    const large = await hog.shell(
      "dd if=/dev/zero of=big bs=1M count=400; ls -s --block-size=1M big; rm big",
    );
    expect(large.end.reason === "disk_limit" || large.stdout.startsWith("128 ")).toBe(true);
    await hog.shell("rm -f big");
    // Only what is left of the limit is filled with empty files: gVisor makes them slowly.
    await hog.shell("dd if=/dev/zero of=most bs=1M count=115");
    const many = await hog.program(
      "const fs=require('fs'); for(let d=0;;d+=1){ fs.mkdirSync('e'+d); for(let i=0;i<1000;i+=1) fs.writeFileSync('e'+d+'/'+i,''); }",
      { timeoutMs: 100_000 },
    );
    expect(many.end).toMatchObject({ status: "interrupted", reason: "disk_limit" });
  });
});

describe.each(testRuntimes)("the floor of the host's disk on %s", (runtime) => {
  let sandbox: TestSandbox;

  beforeAll(async () => {
    sandbox = await startTestSandbox(runtime, { diskFloorBytes: 9e14 });
  });
  afterAll(() => sandbox.remove());

  test("below it nothing is written and the fullest Run is stopped", async () => {
    const supervisor = await sandbox.connect();
    const run = await prepareTestRun(supervisor);
    await expect(run.writeText("x", "x")).rejects.toMatchObject({ code: "limit.size" });
    const { end } = await run.shell("sleep 60");
    expect(end).toMatchObject({ status: "interrupted", reason: "disk_limit" });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Supervisor } from "../../server/sandboxd/supervisor";
import { testRuntimes } from "../../server/testing/int-environment";
import { startTestSandbox, type TestSandbox } from "../../server/testing/sandbox-container";
import { followTestCommand, prepareTestRun, type TestRun } from "../../server/testing/sandbox-run";

const mebibyte = 1024 * 1024;

describe.each(testRuntimes)("commands on %s", (runtime) => {
  let sandbox: TestSandbox;
  let supervisor: Supervisor;
  let run: TestRun;

  beforeAll(async () => {
    sandbox = await startTestSandbox(runtime);
    supervisor = await sandbox.connect();
    run = await prepareTestRun(supervisor);
  });
  afterAll(() => sandbox.remove());

  /** Processes of the Run that are neither its helper nor ended. */
  async function processesOf(uid: number): Promise<string[]> {
    const { stdout } = await sandbox.asRoot(["ps", "-eo", "uid:10,stat:10,args"]);
    return stdout
      .split("\n")
      .filter(
        (line) => line.trim().startsWith(String(uid)) && !line.includes("helper") && !/\d+ +Z/.test(line),
      );
  }

  test("the supervisor says which runtime the kernel proves, and what is used", async () => {
    const status = await supervisor.status();
    expect(status.runtime).toBe(runtime);
    expect(status.usage.memoryBytesMax).toBe(1024 * mebibyte);
    expect(status.usage.processes).toBeGreaterThan(1);
    expect(status.usage.cpuTimeMs).toBeGreaterThan(0);
    expect(status.diskFreeBytes).toBeGreaterThan(mebibyte);
  });

  test("an exit code, a signal and both streams arrive as they were", async () => {
    const { end, stdout, stderr } = await run.shell("echo out; echo err >&2; exit 7");
    expect({ ...end, commandId: "", durationMs: 0 }).toMatchObject({
      status: "exited",
      exitCode: 7,
      signal: null,
      reason: null,
    });
    expect([stdout, stderr]).toEqual(["out\n", "err\n"]);
    const killed = await run.shell("kill -SEGV $$");
    expect(killed.end).toMatchObject({ status: "exited", exitCode: null, signal: "SIGSEGV", reason: null });
  });

  test("a program that is not there ends with 127 and says so", async () => {
    const { end, stderr } = await run.exec(["no-such-program", "x"]);
    expect(end).toMatchObject({ status: "exited", exitCode: 127 });
    expect(stderr).toContain("no-such-program");
  });

  test("words reach the program as they are, without a shell", async () => {
    const words = ["$(id)", "a b", "", "*", "'", "é\n"];
    const { stdout } = await run.exec(["printf", "%s|", ...words]);
    expect(stdout).toBe(words.map((word) => `${word}|`).join(""));
  });

  test("a command has its Run's uid, no group, no capability, no way to gain one, and nothing on its input", async () => {
    const { stdout } = await run.shell(
      "id -u; id -G; grep -E '^(CapInh|CapPrm|CapEff|CapAmb)' /proc/self/status; cat; cat /proc/self/oom_score_adj; ls /proc/self/fd | wc -l",
    );
    const lines = stdout.trim().split("\n");
    expect(lines.slice(0, 2)).toEqual([String(run.uid), String(run.uid)]);
    for (const line of lines.filter((text) => text.startsWith("Cap"))) expect(line).toMatch(/:\s+0+$/);
    expect(lines.slice(-2)).toEqual(["1000", "4"]);
  });

  test("a command sees its own HOME, TMPDIR and what it was given, and none of the supervisor's names", async () => {
    const { stdout } = await run.exec(["env"], { env: { GIVEN: "1 2" } });
    const names = new Map(stdout.split("\n").map((line) => line.split("=", 2) as [string, string]));
    expect(names.get("GIVEN")).toBe("1 2");
    expect(names.get("HOME")).toBe(run.home);
    expect(names.get("TMPDIR")).toBe(run.tmp);
    expect([...names.keys()].filter((name) => name.startsWith("SANDBOX_"))).toEqual([]);
    for (const name of ["LD_PRELOAD", "GCONV_PATH", "HOME", "SANDBOX_IDLE_MS"]) {
      await expect(run.exec(["true"], { env: { [name]: "x" } })).rejects.toMatchObject({
        code: "input.invalid",
      });
    }
  });

  test("a command may open its output again by name", async () => {
    const { stdout, stderr } = await run.shell("echo a > /dev/stdout; echo b > /dev/stderr");
    expect([stdout, stderr]).toEqual(["a\n", "b\n"]);
  });

  test("the same id twice is one command", async () => {
    const commandId = await run.start(["sh", "-c", "echo once >> once.txt; sleep 0.2"]);
    await supervisor.startCommand({
      commandId,
      uid: run.uid,
      argv: ["true"],
      cwd: "/",
      env: {},
      timeoutMs: 1000,
    });
    await run.follow(commandId);
    expect(await run.readText("once.txt")).toBe("once\n");
  });

  test("a timeout ends processes that ignore TERM, left their session and their parents, and keeps the output", async () => {
    const { end, stdout } = await run.shell(
      "echo partial; (setsid sh -c 'trap \"\" TERM; setsid sleep 300 & sleep 301' &); trap '' TERM; while :; do sleep 1; done",
      { timeoutMs: 500 },
    );
    expect(end).toMatchObject({ status: "timed_out", reason: null });
    expect(stdout).toBe("partial\n");
    expect(await processesOf(run.uid)).toEqual([]);
    expect((await run.exec(["true"])).end.exitCode).toBe(0);
  });

  test("stopping ends the whole tree and answers interrupted, stopped", async () => {
    const commandId = await run.start(["sh", "-c", "sleep 300 & sleep 301"]);
    await supervisor.stopCommand(commandId);
    expect((await run.follow(commandId)).end).toMatchObject({ status: "interrupted", reason: "stopped" });
    expect(await processesOf(run.uid)).toEqual([]);
  });

  test("a child that holds the output open does not hold the call, and is ended", async () => {
    const { end } = await run.shell("setsid sleep 300 & echo done");
    expect(end).toMatchObject({ status: "exited", exitCode: 0, stdoutBytes: 5 });
    expect(end.durationMs).toBeLessThan(5_000);
    expect(await processesOf(run.uid)).toEqual([]);
  });

  test("the end of one command leaves another of the same Run alone", async () => {
    const other = await run.start(["sh", "-c", "sleep 1; echo whole"]);
    await run.shell("setsid sleep 300 & true");
    expect(await run.follow(other)).toMatchObject({
      end: { status: "exited", exitCode: 0 },
      stdout: "whole\n",
    });
  });

  test("a finished command is answered on a new connection, from any offset, and an unknown one is interrupted", async () => {
    const commandId = await run.start(["sh", "-c", "echo 0123456789; echo e >&2; exit 5"]);
    const first = await run.follow(commandId);
    supervisor.close();
    await supervisor.closed;
    supervisor = await sandbox.connect();
    expect(await followTestCommand(supervisor, commandId)).toEqual(first);
    const later: string[] = [];
    await supervisor.followCommand(
      { commandId, stdoutOffset: 5, stderrOffset: 2 },
      ({ stream, offset, bytes }) => {
        later.push(`${stream} ${offset} ${Buffer.from(bytes).toString()}`);
      },
    );
    expect(later).toEqual(["stdout 5 56789\n"]);
    const unknown = await followTestCommand(supervisor, "00000000-0000-4000-8000-000000000000");
    expect(unknown.end).toMatchObject({ status: "interrupted", reason: "unknown_command", exitCode: null });
    // The tests after this one use the new connection.
    run = await prepareTestRun(supervisor);
  });

  test("a follower that never takes anything, or leaves, holds up neither the command nor other calls", async () => {
    const commandId = await run.start([
      "sh",
      "-c",
      `yes | head -c ${8 * mebibyte}; echo reached > reached.txt`,
    ]);
    const leave = new AbortController();
    let release = (): void => {};
    const stuck = supervisor.followCommand(
      { commandId, stdoutOffset: 0, stderrOffset: 0 },
      () => new Promise<void>((resolve) => (release = resolve)),
      leave.signal,
    );
    const other = await sandbox.connect();
    expect((await followTestCommand(other, commandId)).receivedBytes).toBe(8 * mebibyte);
    expect(await run.readText("reached.txt")).toBe("reached\n");
    leave.abort();
    release();
    await expect(stuck).rejects.toThrow();
    other.close();
  });

  test("output beyond what is kept is counted to the byte, its end kept, and costs the supervisor no memory", async () => {
    // More than all that may be held; test:soak sends ten gigabytes.
    const bytes = 500 * mebibyte;
    const memoryBefore = (await supervisor.status()).usage.memoryBytes;
    const { end, receivedBytes } = await run.shell(`yes | head -c ${bytes - 4}; printf last; echo e >&2`, {
      timeoutMs: 110_000,
    });
    expect(end).toMatchObject({
      status: "exited",
      exitCode: 0,
      stdoutBytes: bytes,
      stdoutKeptBytes: 16 * mebibyte,
    });
    expect(receivedBytes).toBe(16 * mebibyte + 2);
    expect(Buffer.from(end.stdoutTail).toString().endsWith("y\nlast")).toBe(true);
    expect(end.stdoutTail.length).toBe(32 * 1024);
    expect(end.stderrTail.length).toBe(0);
    expect((await supervisor.status()).usage.memoryBytes - memoryBefore).toBeLessThan(150 * mebibyte);
  });

  test("bytes that look like frames, in any encoding, pass as they are", async () => {
    const hostile = Buffer.from([0, 0, 0, 2, 2, 0, 0, 0, 1, 0x7b, 0x7d, 0xff, 0xfe, 0, 13, 10]);
    await supervisor.writeFile({ ...run.at("hostile.bin"), bytes: hostile, mode: null });
    const received: Buffer[] = [];
    const commandId = await run.start(["cat", "hostile.bin"]);
    await supervisor.followCommand({ commandId, stdoutOffset: 0, stderrOffset: 0 }, ({ bytes }) => {
      received.push(Buffer.from(bytes));
    });
    expect(Buffer.concat(received)).toEqual(hostile);
  });

  test("what is no frame ends that connection and no other", async () => {
    const stream = await sandbox.openStream();
    const ended = new Promise((resolve) =>
      stream.on("close", resolve).on("end", resolve).on("error", resolve),
    );
    stream.resume();
    stream.write(Buffer.alloc(64, 0xff));
    await ended;
    stream.destroy();
    expect((await run.exec(["true"])).end.exitCode).toBe(0);
  });

  test("while a command runs the Sandbox is not idle, and afterwards it is kept for as long as was promised", async () => {
    const before = (await supervisor.status()).idleRemovalInMs;
    expect(before).toBeLessThanOrEqual(120_000);
    await supervisor.touch(600_000);
    expect((await supervisor.status()).idleRemovalInMs).toBeGreaterThan(500_000);
    const commandId = await run.start(["sleep", "30"]);
    expect((await supervisor.status()).runningCommands).toBe(1);
    await supervisor.stopCommand(commandId);
    expect((await supervisor.status()).runningCommands).toBe(0);
  });

  test("many commands one after the other and at once leave no descriptor and no process behind", async () => {
    const descriptors = async (): Promise<number> =>
      Number((await sandbox.asRoot(["sh", "-c", "ls /proc/$(pgrep -o bun)/fd | wc -l"])).stdout);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => run.exec(["sh", "-c", "echo x"])));
    }
    const before = await descriptors();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => run.exec(["true"])));
    }
    expect(await descriptors()).toBeLessThanOrEqual(before + 5);
    expect(await processesOf(run.uid)).toEqual([]);
  });
});

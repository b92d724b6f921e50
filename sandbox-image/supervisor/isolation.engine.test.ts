import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Supervisor } from "../../server/sandboxd/supervisor";
import { testRuntimes } from "../../server/testing/int-environment";
import { startTestSandbox, type TestSandbox } from "../../server/testing/sandbox-container";
import { prepareTestRun, type TestRun } from "../../server/testing/sandbox-run";

const bytesMax = 1024 * 1024;

describe.each(testRuntimes)("isolation of Runs on %s", (runtime) => {
  let sandbox: TestSandbox;
  let supervisor: Supervisor;
  let victim: TestRun;
  let attacker: TestRun;

  beforeAll(async () => {
    sandbox = await startTestSandbox(runtime);
    supervisor = await sandbox.connect();
    [victim, attacker] = [await prepareTestRun(supervisor), await prepareTestRun(supervisor)];
    await victim.writeText("secret", "victim's");
  });
  afterAll(() => sandbox.remove());

  async function helperPid(run: TestRun): Promise<number> {
    const script = `ps -eo pid,uid,args | awk '$2==${run.uid} && /helper/ {print $1}'`;
    return Number((await sandbox.asRoot(["sh", "-c", script])).stdout);
  }

  test("a Run cannot enter another's directory, home or temporary files, nor list whose they are", async () => {
    for (const path of [victim.directory, victim.home, victim.tmp]) {
      for (const script of [`ls ${path}`, `cat ${path}/secret`, `touch ${path}/x`, `cd ${path}`]) {
        const { end, stderr } = await attacker.shell(script);
        expect([script, end.exitCode === 0]).toEqual([script, false]);
        expect(stderr).toMatch(/denied|can't cd/i);
      }
    }
    await expect(
      supervisor.readFile({ uid: attacker.uid, root: victim.directory, path: "secret", bytesMax }),
    ).rejects.toMatchObject({ code: "input.invalid" });
  });

  test("a Run cannot signal, trace or look into another's processes or the supervisor", async () => {
    const commandId = await victim.start(["sleep", "60"]);
    const pid = (await sandbox.asRoot(["pgrep", "-u", String(victim.uid), "sleep"])).stdout.trim();
    const supervisorPid = (await sandbox.asRoot(["pgrep", "-o", "bun"])).stdout.trim();
    for (const target of [pid, supervisorPid]) {
      for (const script of [
        `kill -9 ${target}`,
        `cat /proc/${target}/mem`,
        `ls /proc/${target}/root/`,
        `ls /proc/${target}/cwd/`,
        `echo x > /proc/${target}/fd/1`,
        // gVisor shows the descriptors of everybody, and gives what their modes allow (docs/security.md).
        ...(runtime === "runc" ? [`ls /proc/${target}/fd`, `cat /proc/${target}/fd/0`] : []),
      ]) {
        const { end } = await attacker.shell(script);
        expect([script, end.exitCode === 0]).toEqual([script, false]);
      }
    }
    await attacker.shell("kill -9 -1");
    expect((await supervisor.status()).runningCommands).toBe(1);
    await supervisor.stopCommand(commandId);
  });

  test("nothing in the PATH of a Run's scripts is another Run's, or can be changed by one", async () => {
    const manifest = JSON.stringify({ scripts: { path: "echo $PATH" } });
    for (const run of [attacker, victim]) await run.writeText("package.json", manifest);
    await attacker.shell("bun run --silent path");
    const { stdout } = await victim.shell("bun run --silent path");
    const folders = stdout.trim().split(":");
    expect(folders).toContain("/usr/local/bin");
    const probes = folders.map(
      (folder) => `if [ -w '${folder}' ] || [ -O '${folder}' ]; then echo '${folder}'; fi`,
    );
    expect((await attacker.shell(probes.join("; "))).stdout).toBe("");
  });

  test("system directories, the supervisor's own and its socket are closed to a Run, and nothing is setuid", async () => {
    const { stdout } = await attacker.shell(
      "find / -xdev \\( -path /proc -o -path /sys \\) -prune -o -perm /6000 -type f -print 2>/dev/null; " +
        "find / -xdev \\( -path /proc -o -path /sys \\) -prune -o -writable ! -type l ! -user $(id -u) -print 2>/dev/null",
    );
    const writable = stdout.split("\n").filter((path) => path !== "" && !path.startsWith("/dev/"));
    expect(writable.sort()).toEqual(["/tmp", "/var/tmp"]);
    for (const script of [
      "nc -U -N /run/rhumbatron/supervisor.sock < /dev/null",
      "ls /run/rhumbatron",
      "ls /var/lib/rhumbatron/commands",
      "touch /workspace/x",
      "mv $PWD /workspace/other",
      "echo x >> /etc/passwd",
      "cat /etc/shadow",
    ]) {
      const { end } = await attacker.shell(script);
      expect([script, end.exitCode === 0]).toEqual([script, false]);
    }
  });

  test("a Run's own processes cannot trace its file helper, and killing or stopping it does not stop file calls", async () => {
    await attacker.writeText("before", "1");
    const pid = await helperPid(attacker);
    const { stdout } = await attacker.program(
      `const { dlopen } = require('bun:ffi'); const { symbols } = dlopen('libc.so.6', { ptrace: { args: ['i64','i64','ptr','ptr'], returns: 'i64' } });
       const can = (look) => { try { look(); return true } catch { return false } };
       const fs = require('fs');
       console.log(Number(symbols.ptrace(16, ${pid}, null, null)), can(() => fs.readdirSync('/proc/${pid}/fd')), can(() => fs.openSync('/proc/${pid}/mem', 'r')))`,
    );
    // gVisor lists the descriptors of everybody; the pipes behind them are root's.
    expect(stdout.trim()).toBe(runtime === "runc" ? "-1 false false" : "-1 true false");
    const pipes = await attacker.shell(`cat < /proc/${pid}/fd/0; echo x > /proc/${pid}/fd/1`);
    expect([pipes.end.exitCode === 0, pipes.stdout]).toEqual([false, ""]);
    await attacker.shell(`kill -9 ${pid}`);
    expect(await attacker.readText("before")).toBe("1");
    await attacker.shell(`kill -STOP ${await helperPid(attacker)}`);
    expect(await attacker.readText("before")).toBe("1");
    expect(await victim.readText("secret")).toBe("victim's");
  });

  test("names that change while a file call goes down never lead it out of the Run's directory", async () => {
    // What only its owner, or root, may read or write; and what everybody may.
    await sandbox.asRoot([
      "sh",
      "-c",
      "mkdir -p /outside/d && echo outside > /outside/d/f && chmod -R a+rwX /outside",
    ]);
    await victim.shell("mkdir -p d && echo outside > d/f && chmod 755 d");
    await attacker.shell("mkdir -p race/real/d; echo inside > race/real/d/f");
    // Writes make the directory anew when they find none, so the loop clears the way each time.
    const swap = (target: string): string =>
      `const fs = require('fs'); process.chdir('race'); fs.cpSync('real', 'dir', { recursive: true });
       const attempt = (act) => { try { act(); } catch {} };
       for (;;) {
         attempt(() => fs.symlinkSync('${target}', 'link'));
         attempt(() => fs.renameSync('dir', 'away'));
         attempt(() => fs.rmSync('dir', { recursive: true }));
         attempt(() => fs.renameSync('link', 'dir'));
         attempt(() => fs.renameSync('dir', 'link'));
         attempt(() => fs.rmSync('dir', { recursive: true }));
         attempt(() => fs.renameSync('away', 'dir'));
       }`;
    for (const target of ["/outside", victim.directory]) {
      const commandId = await attacker.start(["bun", "-e", swap(target)]);
      const outcomes = new Set<string>();
      const deadlineMs = performance.now() + 4_000;
      for (let turn = 0; performance.now() < deadlineMs; turn += 1) {
        const results = await Promise.allSettled([
          attacker.readText("race/dir/d/f"),
          attacker.writeText(`race/dir/d/w${turn % 50}`, "written"),
          supervisor.listFiles({ ...attacker.at("race/dir/d"), depth: 1, limit: 100 }),
          supervisor.deleteFile({ ...attacker.at("race/dir/d/w0"), recursive: true }),
        ]);
        for (const result of results) {
          if (result.status === "fulfilled") outcomes.add(JSON.stringify(result.value ?? null));
          else outcomes.add((result.reason as { code: string }).code);
        }
      }
      await supervisor.stopCommand(commandId);
      expect(
        [...outcomes].filter((outcome) => outcome.includes("outside") && !outcome.startsWith("path.")),
      ).toEqual([]);
      expect([...outcomes]).toContain(JSON.stringify("inside\n"));
      expect([...outcomes]).toContain("path.outside_workspace");
      await attacker.shell("rm -rf race/dir race/link race/away");
    }
    expect((await sandbox.asRoot(["ls", "/outside/d"])).stdout).toBe("f\n");
    expect((await victim.shell("ls d")).stdout).toBe("f\n");
  });

  test("a removed Run leaves no process and no file anywhere, and its uid is refused from then on", async () => {
    const run = await prepareTestRun(supervisor);
    await run.shell(
      "mkdir -p deep/closed; echo x > deep/closed/f; chmod 000 deep/closed deep; touch /tmp/mine /var/tmp/mine /dev/shm/mine; " +
        "mkdir /tmp/own; touch /tmp/own/x; chmod 000 /tmp/own; echo x > $HOME/.npmrc; ipcmk -M 1000",
    );
    await run.program(
      "const fs=require('fs'); for (let i=0;i<400;i+=1) { fs.mkdirSync('a'.repeat(200)); process.chdir('a'.repeat(200)); }",
    );
    const running = await run.start([
      "sh",
      "-c",
      "trap '' TERM; (setsid sleep 300 &); while :; do sleep 1; done",
    ]);
    const end = run.follow(running);
    await supervisor.removeRun({ uid: run.uid, directory: run.directory });
    expect((await end).end).toMatchObject({ status: "interrupted", reason: "stopped" });
    const left = await sandbox.asRoot([
      "sh",
      "-c",
      `find / -xdev -uid ${run.uid} ! -path '/proc/*'; find /dev/shm -uid ${run.uid}; ls -d ${run.directory} ${run.home} 2>/dev/null; ps -eo uid,args | grep '^ *${run.uid} '; cut -c1-200 /proc/sysvipc/shm | grep -w ${run.uid}`,
    ]);
    expect(left.stdout).toBe("");
    await supervisor.removeRun({ uid: run.uid, directory: run.directory });
    for (const call of [
      () => supervisor.prepareRun({ uid: run.uid, directory: run.directory }),
      () => run.exec(["true"]),
      () => run.readText("deep"),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "input.invalid" });
    }
    expect(await victim.readText("secret")).toBe("victim's");
  });

  test("a Run is prepared again as it was, and neither its uid nor its directory serves another", async () => {
    const again = await supervisor.prepareRun({ uid: victim.uid, directory: victim.directory });
    expect(again).toEqual({ home: victim.home, tmp: victim.tmp });
    expect(await victim.readText("secret")).toBe("victim's");
    for (const input of [
      { uid: victim.uid, directory: "/workspace/another" },
      { uid: attacker.uid, directory: victim.directory },
      { uid: victim.uid, directory: "/etc" },
      { uid: victim.uid, directory: "/workspace/../etc" },
    ]) {
      await expect(supervisor.prepareRun(input)).rejects.toMatchObject({ code: "input.invalid" });
    }
  });
});

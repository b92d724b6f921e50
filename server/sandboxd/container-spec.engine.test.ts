import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { ensureLive, runInSandbox } from "../testing/sandbox-command";

/** What breaks here gives every Sandbox a right or takes away a limit: each setting is compared, not a few. */
describe.each(testRuntimes)("a Sandbox's container on %s", (runtime) => {
  let one: EngineInstance;
  let inspected: Record<string, Record<string, unknown>>;
  let imageEnv: string[];
  const sandboxId = newSandboxId();

  beforeAll(async () => {
    one = await createEngineInstance(runtime, { NPM_REGISTRY_URL: "https://registry.example/" });
    await one.startSandboxd();
    const { runtimeId } = await ensureLive(one.sandboxes, sandboxId);
    const facts: unknown = await one.docker.getContainer(runtimeId).inspect();
    inspected = facts as typeof inspected;
    const image: unknown = await one.docker.getImage(one.settings.SANDBOX_IMAGE).inspect();
    imageEnv = (image as { Config: { Env: string[] } }).Config.Env;
  });
  afterAll(() => one.close());

  it("has exactly these engine settings", () => {
    const hostConfig = inspected["HostConfig"] ?? {};
    // Engines add keys; one that is empty grants nothing.
    const isSet = (value: unknown): boolean =>
      !(
        value === null ||
        value === "" ||
        value === 0 ||
        value === false ||
        (Array.isArray(value) && value.length === 0)
      );
    const set = Object.fromEntries(Object.entries(hostConfig).filter(([, value]) => isSet(value)));
    expect(set).toEqual({
      Runtime: runtime,
      NetworkMode: `rhumbatron_sbx_${one.instance.suffix}_1`,
      NanoCpus: 1_000_000_000,
      Memory: 536_870_912,
      MemorySwap: 536_870_912,
      PidsLimit: runtime === "runc" ? 128 : 640,
      CapDrop: ["ALL"],
      CapAdd: ["SETUID", "SETGID", "CHOWN", "KILL", "DAC_OVERRIDE", "FOWNER"],
      SecurityOpt: ["no-new-privileges"],
      Init: true,
      IpcMode: "private",
      CgroupnsMode: "private",
      ShmSize: 67_108_864,
      Tmpfs: { "/run": "rw,nosuid,nodev,noexec,size=16m,mode=755" },
      Ulimits: [
        { Name: "nofile", Soft: 4096, Hard: 4096 },
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "fsize", Soft: 8_589_934_592, Hard: 8_589_934_592 },
      ],
      OomScoreAdj: 500,
      RestartPolicy: { Name: "no", MaximumRetryCount: 0 },
      LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "1" } },
      Dns: ["127.0.0.1"],
      DnsSearch: ["."],
      ConsoleSize: [0, 0],
      MaskedPaths: expect.arrayContaining(["/proc/kcore", "/proc/keys", "/sys/firmware"]) as string[],
      ReadonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    });
    expect(inspected["Mounts"]).toEqual([]);
    expect(inspected["AppArmorProfile"] ?? "").not.toBe("unconfined");
  });

  it("has exactly these container settings, and its environment is a constant", () => {
    const { Env, Labels, Entrypoint, Cmd, ...config } = inspected["Config"] ?? {};
    expect(config).toEqual({
      Hostname: "sandbox",
      Domainname: "",
      User: "0:0",
      AttachStdin: false,
      AttachStdout: false,
      AttachStderr: false,
      Tty: false,
      OpenStdin: false,
      StdinOnce: false,
      Image: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      Volumes: null,
      WorkingDir: "/",
      OnBuild: null,
    });
    expect({ Entrypoint, Cmd }).not.toEqual({ Entrypoint: null, Cmd: null });
    expect(Labels).toMatchObject({
      "rhumbatron.instance": one.instance.id,
      "rhumbatron.purpose": "sandbox",
      "rhumbatron.network": "1",
      "rhumbatron.settings": expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    const bundle = "/etc/ssl/certs/ca-certificates.crt";
    const own = [
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "LANG=C.UTF-8",
      ...["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map(
        (name) => `${name}=http://egress:3128`,
      ),
      "NO_PROXY=git,localhost,127.0.0.1,0.0.0.0,::1,[::1]",
      "no_proxy=git,localhost,127.0.0.1,0.0.0.0,::1,[::1]",
      ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "GIT_SSL_CAINFO", "CURL_CA_BUNDLE"].map(
        (name) => `${name}=${bundle}`,
      ),
      "BUN_CONFIG_REGISTRY=https://registry.example/",
      "npm_config_registry=https://registry.example/",
      "SANDBOX_DISK_BYTES_MAX=8589934592",
      "SANDBOX_DISK_FLOOR_BYTES=1073741824",
      "SANDBOX_IDLE_MS=120000",
      "SANDBOX_MEMORY_BYTES_MAX=536870912",
      "SANDBOX_PIDS_MAX=128",
    ];
    const names = own.map((entry) => entry.split("=")[0]);
    const ofImage = imageEnv.filter((entry) => !names.includes(entry.split("=")[0]));
    expect([...(Env as string[])].sort()).toEqual([...own, ...ofImage].sort());
  });

  it("gives a Run's process no capability, no way to gain one, and the runtime that was asked for", async () => {
    const { stdout } = await runInSandbox(one.sandboxes, sandboxId, [
      "cat",
      "/proc/self/status",
      "/proc/version",
    ]);
    for (const name of ["CapInh", "CapPrm", "CapEff"]) expect(stdout).toContain(`${name}:\t0000000000000000`);
    expect(stdout).toMatch(/^Uid:\t10000\t10000\t10000\t10000$/m);
    // gVisor does not show these two; it filters system calls by being the kernel.
    if (runtime === "runc") expect(stdout).toMatch(/^NoNewPrivs:\t1\nSeccomp:\t2$/m);
    const mount = await runInSandbox(one.sandboxes, sandboxId, ["mount", "-t", "tmpfs", "none", "/mnt"]);
    const write = await runInSandbox(one.sandboxes, sandboxId, [
      "sh",
      "-c",
      "echo x > /usr/bin/x || echo x > /etc/x",
    ]);
    expect({ mount: mount.exitCode !== 0, write: write.exitCode !== 0 }).toEqual({
      mount: true,
      write: true,
    });
    expect(await one.sandboxes.find(sandboxId)).toMatchObject({ runtime });
  });
});

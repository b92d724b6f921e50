import { randomUUID } from "node:crypto";
import { Duplex, PassThrough } from "node:stream";
import Docker from "dockerode";
import { createSystemClock } from "../platform/clock";
import { createSilentLogger } from "../platform/logger";
import type { Supervisor } from "../sandboxd/supervisor";
import { createSupervisorClient } from "../sandboxd/supervisor-client";
import type { SandboxRuntime } from "../sandboxd/types";
import { testEngineSocket, testSandboxImage } from "./int-environment";

export interface TestSandbox {
  /** Over a stream of its own. Every one is closed when the sandbox is removed. */
  connect(): Promise<Supervisor>;
  /** The stream to the supervisor as bytes, for tests that speak it wrongly. */
  openStream(): Promise<Duplex>;
  /** Runs a program as root beside the supervisor and gives what it printed. */
  asRoot(argv: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  isRunning(): Promise<boolean>;
  remove(): Promise<void>;
}

export interface TestSandboxLimits {
  memoryMb?: number;
  processesMax?: number;
  diskMb?: number;
  diskFloorBytes?: number;
  idleMs?: number;
}

const mebibyte = 1024 * 1024;

/** Starts one container as a Sandbox is started, on no network, and waits until its supervisor answers. */
export async function startTestSandbox(
  runtime: SandboxRuntime,
  limits: TestSandboxLimits = {},
): Promise<TestSandbox> {
  const { memoryMb = 1024, processesMax = 256, diskMb = 2048, diskFloorBytes = 0, idleMs = 120_000 } = limits;
  const engine = new Docker({ socketPath: testEngineSocket });
  const container = await engine.createContainer({
    Image: testSandboxImage,
    Labels: { "rhumbatron.test": randomUUID() },
    Env: [
      `SANDBOX_IDLE_MS=${idleMs}`,
      `SANDBOX_MEMORY_BYTES_MAX=${memoryMb * mebibyte}`,
      `SANDBOX_PIDS_MAX=${processesMax}`,
      `SANDBOX_DISK_BYTES_MAX=${diskMb * mebibyte}`,
      `SANDBOX_DISK_FLOOR_BYTES=${diskFloorBytes}`,
    ],
    HostConfig: {
      Runtime: runtime,
      NetworkMode: "none",
      Init: true,
      CapDrop: ["ALL"],
      CapAdd: ["SETUID", "SETGID", "CHOWN", "KILL", "DAC_OVERRIDE", "FOWNER"],
      SecurityOpt: ["no-new-privileges"],
      Memory: memoryMb * mebibyte,
      MemorySwap: memoryMb * mebibyte,
      // gVisor needs two processes of the host for each inside, and ends when it gets none.
      PidsLimit: runtime === "runsc" ? 3 * processesMax + 256 : processesMax,
      NanoCpus: 2_000_000_000,
      LogConfig: { Type: "local", Config: {} },
      Tmpfs: { "/run": "mode=0755,size=16m", "/dev/shm": "mode=1777,size=64m" },
      Ulimits: [{ Name: "fsize", Soft: diskMb * mebibyte, Hard: diskMb * mebibyte }],
    },
  });
  const supervisors: Supervisor[] = [];
  const remove = async (): Promise<void> => {
    for (const supervisor of supervisors) supervisor.close();
    await container.remove({ force: true });
  };

  const sandbox: TestSandbox = {
    connect: async () => {
      const supervisor = createSupervisorClient({
        stream: await sandbox.openStream(),
        clock: createSystemClock(),
        logger: createSilentLogger(),
      });
      supervisors.push(supervisor);
      return supervisor;
    },
    openStream: () => openStream(engine, container),
    asRoot: (argv) => runAsRoot(engine, container, argv),
    isRunning: async () => (await container.inspect()).State.Running,
    remove,
  };
  try {
    await container.start();
    await waitUntilServing(sandbox);
  } catch (error) {
    await remove();
    throw error;
  }
  return sandbox;
}

async function waitUntilServing(sandbox: TestSandbox): Promise<void> {
  const clock = createSystemClock();
  const deadlineMs = clock.monotonicMs() + 20_000;
  for (;;) {
    const { exitCode, stderr } = await sandbox.asRoot(["test", "-S", "/run/rhumbatron/supervisor.sock"]);
    if (exitCode === 0) return;
    if (clock.monotonicMs() > deadlineMs) throw new Error(`the supervisor does not serve: ${stderr}`);
    await clock.sleep(50);
  }
}

async function openStream(engine: Docker, container: Docker.Container): Promise<Duplex> {
  const exec = await container.exec({
    Cmd: ["nc", "-U", "-N", "/run/rhumbatron/supervisor.sock"],
    User: "root",
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const raw = await exec.start({ hijack: true, stdin: true });
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  stderr.resume();
  engine.modem.demuxStream(raw, stdout, stderr);
  raw.on("end", () => stdout.end());
  raw.on("close", () => stdout.end());
  const stream = Duplex.from({ readable: stdout, writable: raw });
  stream.on("close", () => raw.destroy());
  stream.on("error", () => raw.destroy());
  return stream;
}

async function runAsRoot(
  engine: Docker,
  container: Docker.Container,
  argv: readonly string[],
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const exec = await container.exec({ Cmd: [...argv], User: "root", AttachStdout: true, AttachStderr: true });
  const raw = await exec.start({});
  const texts = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr"): PassThrough => {
    const stream = new PassThrough();
    stream.on("data", (piece: Buffer) => (texts[name] += piece.toString("utf8")));
    return stream;
  };
  engine.modem.demuxStream(raw, collect("stdout"), collect("stderr"));
  await new Promise((resolve, reject) => raw.once("end", resolve).once("error", reject));
  const { ExitCode } = await exec.inspect();
  return { exitCode: ExitCode ?? -1, ...texts };
}

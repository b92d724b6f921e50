/**
 * What an agent waits for, beside the naive way to the same thing, in one run on one machine: a command and a small file
 * through the supervisor's stream, against an exec and an archive of the engine; a warm Sandbox against a cold container.
 * Prints medians and their ratios. Needs an engine with the sandbox image: run `npm run stack:up` before.
 *
 *   node --import tsx bench/sandbox-calls.ts [runc|runsc] [rounds]
 */
import type Docker from "dockerode";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../server/testing/engine-instance";
import {
  ensureLive,
  runInSandbox,
  testCommand,
  testDirectory,
  testUid,
} from "../server/testing/sandbox-command";
import { until } from "../server/testing/until";

const runtime = process.argv[2] === "runsc" ? "runsc" : "runc";
const rounds = Number(process.argv[3] ?? 20);

const world = await createEngineInstance(runtime, { SANDBOX_WARM: "1", SANDBOX_MAX: "4" });
try {
  await world.startServices();
  await world.startSandboxd();
  const sandboxId = newSandboxId();
  const { runtimeId } = await ensureLive(world.sandboxes, sandboxId);
  await world.sandboxes.prepareRun({ sandboxId, uid: testUid, directory: testDirectory });
  const container = world.docker.getContainer(runtimeId);

  await compare("command `true`", {
    ours: async () => void (await world.sandboxes.exec({ sandboxId, ...testCommand(["true"]) })),
    naive: () => execTrue(container),
  });
  const target = { sandboxId, uid: testUid, root: testDirectory, path: "small.txt" };
  const bytes = Buffer.alloc(1024, 120);
  await world.sandboxes.writeFile({ ...target, bytes, mode: null });
  await compare("read of 1 KB", {
    ours: async () => void (await world.sandboxes.readFile({ ...target, bytesMax: 4096 })),
    naive: () => drain(() => container.getArchive({ path: `${testDirectory}/small.txt` })),
  });
  await compare("write of 1 KB", {
    ours: async () => void (await world.sandboxes.writeFile({ ...target, bytes, mode: null })),
    naive: () => execTrue(container, ["cp", `${testDirectory}/small.txt`, "/run/copy"]),
  });
  await world.sandboxes.remove({ sandboxId });
  await compare(
    "a Sandbox, ready for its first command",
    { ours: () => claimWarm(world), naive: () => startCold(world) },
    Math.min(rounds, 5),
  );
} finally {
  await world.close();
}

/** What is timed; what it gives back is done after it and not timed. */
type Timed = () => Promise<void | (() => Promise<void>)>;

interface Ways {
  ours: Timed;
  naive: Timed;
}

/** Takes turns, so that whatever else the machine does slows both. */
async function compare(what: string, { ours, naive }: Ways, count = rounds): Promise<void> {
  const times = { ours: [] as number[], naive: [] as number[] };
  await timeMs(ours);
  await timeMs(naive);
  for (let round = 0; round < count; round++) {
    times.ours.push(await timeMs(ours));
    times.naive.push(await timeMs(naive));
  }
  const [oursMs, naiveMs] = [median(times.ours), median(times.naive)];
  const ratio = (naiveMs / oursMs).toFixed(1);
  console.log(
    `${runtime}  ${what}: ${oursMs.toFixed(1)} ms, naive ${naiveMs.toFixed(1)} ms: ${ratio} times (n=${count})`,
  );
}

async function timeMs(work: Timed): Promise<number> {
  const startedMs = performance.now();
  const cleanUp = await work();
  const tookMs = performance.now() - startedMs;
  await cleanUp?.();
  return tookMs;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function execTrue(container: Docker.Container, argv = ["true"]): Promise<void> {
  const exec = await container.exec({ Cmd: argv, AttachStdout: true, AttachStderr: true });
  await drain(() => exec.start({}));
  await exec.inspect();
}

async function drain(open: () => Promise<NodeJS.ReadableStream>): Promise<void> {
  const stream = await open();
  stream.resume();
  await new Promise<void>((resolve, reject) => stream.on("end", resolve).on("error", reject));
}

async function claimWarm({ sandboxes }: EngineInstance): Promise<() => Promise<void>> {
  const sandboxId = newSandboxId();
  await ensureLive(sandboxes, sandboxId);
  await runInSandbox(sandboxes, sandboxId, ["true"]);
  return async () => {
    await sandboxes.remove({ sandboxId });
    await until("a warm container", async () => (await sandboxes.list()).warmCount > 0);
  };
}

async function startCold({ docker, settings }: EngineInstance): Promise<() => Promise<void>> {
  const container = await docker.createContainer({
    Image: settings.SANDBOX_IMAGE,
    HostConfig: { Runtime: runtime, Init: true, NetworkMode: "bridge" },
  });
  await container.start();
  await execTrue(container);
  return async () => void (await container.remove({ force: true }));
}

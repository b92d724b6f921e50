import { chmodSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { createSystemClock } from "../../server/platform/clock";
import { createActivity } from "./activity";
import { createCalls, readRuntime } from "./calls";
import { createCgroup } from "./cgroup";
import { createCommands, type Commands } from "./commands";
import { serveConnection } from "./connection";
import { measureDiskUsage } from "./disk-usage";
import { createDiskWatch } from "./disk-watch";
import { createFileHelpers, type FileHelpers } from "./file-helpers";
import { runFileHelper } from "./file-process";
import { limitProcessesOfUid } from "./libc";
import { watchMemory } from "./memory-blame";
import { watchMemoryOfSandbox } from "./memory-watch";
import { createProcessEnder, type Signal } from "./process-ender";
import { createProcessPressure } from "./process-pressure";
import { readProcessTable } from "./process-table";
import { createRuns } from "./runs";
import { commandBaseEnvironment, parseSupervisorSettings } from "./settings";

const socketDirectory = "/run/rhumbatron";
const keptDirectory = "/var/lib/rhumbatron/commands";
/** Where Runs can leave something on the disk. */
const writablePlaces = ["/workspace", "/var/lib/rhumbatron/runs", "/tmp", "/var/tmp"];

/** In gVisor one uid alone cannot fill the container; the rest is for the others and for us. */
const gvisorUidShare = 0.75;

if (process.argv[2] === "helper") runFileHelper();
else runSupervisor();

/** Wires the supervisor and serves until the container ends. */
function runSupervisor(): void {
  process.umask(0o022);
  // A fault in one call must not end every Run in the Sandbox.
  process.on("uncaughtException", (error) => console.error("a fault:", error));
  process.on("unhandledRejection", (reason) => console.error("a fault:", reason));
  const settings = parseSupervisorSettings(process.env);
  const clock = createSystemClock();
  const cgroup = createCgroup();
  const endProcesses = createProcessEnder({ readTable: readProcessTable, send: sendSignal, clock });
  const runs = createRuns(endProcesses);

  const parts: { commands: Commands | null; helpers: FileHelpers | null } = { commands: null, helpers: null };
  const liveCommands = (): ReturnType<Commands["live"]> => parts.commands?.live() ?? [];
  const hasLiveCommands = (): boolean => liveCommands().length > 0;
  const pressure = createProcessPressure({
    clock,
    cgroup,
    processesMax: settings.processesMax,
    readTable: readProcessTable,
    hasLiveCommands,
    interruptUid: async (uid, cause) => parts.commands?.interruptUid(uid, cause),
  });
  const helpers = (parts.helpers = createFileHelpers({
    clock,
    program: [process.execPath, "--smol", import.meta.path, "helper"],
    relieve: (uid) => pressure.relieve(uid),
    check: (uid) => void runs.get(uid),
  }));
  mkdirSync(keptDirectory, { recursive: true, mode: 0o700 });
  const commands = (parts.commands = createCommands({
    clock,
    runs,
    endProcesses,
    baseEnv: commandBaseEnvironment(process.env),
    keptDirectory,
    helperPid: (uid) => helpers.pid(uid),
    watchMemory: () => watchMemory(cgroup, settings.memoryBytesMax),
    relieve: (uid) => pressure.relieve(uid),
  }));
  const disk = createDiskWatch({
    clock,
    diskBytesMax: settings.diskBytesMax,
    diskFloorBytes: settings.diskFloorBytes,
    readSpace: () => {
      const { bavail, bsize, ffree } = statfsSync("/workspace");
      return { freeBytes: bavail * bsize, freeInodes: ffree };
    },
    measure: () => measureDiskUsage(writablePlaces),
    liveUids: () => new Set(liveCommands().map((command) => command.uid)),
    interruptUid: (uid, cause) => commands.interruptUid(uid, cause),
  });
  pressure.watch();
  disk.watch();
  if (readRuntime() === "runsc") holdLimitsInGvisor();

  /** The host's limits end the whole Sandbox here, so that the Runs have to stay below them. */
  function holdLimitsInGvisor(): void {
    if (settings.processesMax !== null)
      limitProcessesOfUid(Math.ceil(settings.processesMax * gvisorUidShare));
    if (settings.memoryBytesMax === null) return;
    watchMemoryOfSandbox({
      clock,
      cgroup,
      memoryBytesMax: settings.memoryBytesMax,
      readTable: readProcessTable,
      hasLiveCommands,
      interruptUid: (uid, cause) => commands.interruptUid(uid, cause),
    });
  }

  const activity = createActivity(clock, settings.idleMs);
  const calls = createCalls({ settings, activity, runs, commands, helpers, cgroup, disk });
  listen(calls);
}

function listen(calls: ReturnType<typeof createCalls>): void {
  mkdirSync(socketDirectory, { recursive: true, mode: 0o700 });
  chmodSync(socketDirectory, 0o700);
  const socketPath = `${socketDirectory}/supervisor.sock`;
  rmSync(socketPath, { force: true });
  const umask = process.umask(0o177);
  const server = createServer((socket) => serveConnection(socket, calls));
  server.listen(socketPath, () => {
    chmodSync(socketPath, 0o600);
    process.umask(umask);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
}

function sendSignal(pid: number, signal: Signal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { installPackages, readLinuxRelease } from "./apt";
import { hasProgram, runCommand } from "./command";
import { writeWhole } from "./data-dir";
import { explainEngine, findEngine, probeEngine, type Engine } from "./engine";
import { OperatorError, systemErrorCode } from "./operator-error";
import { findRecordedProcess, stopRecordedProcess } from "./pid-record";
import { lastLogLine, startProcess } from "./processes";
import type { Progress, Step } from "./progress";

/** Where an engine that this command starts lives. Tests put one beside the machine's own. */
export interface EngineHome {
  /** Configuration, log, pid record and extra runtimes. */
  home: string;
  socketPath: string;
  pidFile: string;
  /** Further arguments of dockerd, such as a data root of its own. */
  extraArguments: readonly string[];
  /** The operator's configuration, which is kept and added to. */
  baseConfigPath: string;
}

export const systemEngineHome: EngineHome = {
  home: "/var/lib/rhumbatron/engine",
  socketPath: "/var/run/docker.sock",
  pidFile: "/var/run/docker.pid",
  extraArguments: [],
  baseConfigPath: "/etc/docker/daemon.json",
};

const startDeadlineMs = 90_000;

/**
 * Answers an engine that can be used. Where there is none, and this is root on Debian or Ubuntu, installs one with apt
 * and starts it, with systemd or without. Everything else is a sentence that says what to do.
 */
export async function ensureEngine(options: {
  socketPaths: readonly string[];
  isRoot: boolean;
  progress: Progress;
  engineHome?: EngineHome;
}): Promise<Engine> {
  const { socketPaths, isRoot, progress, engineHome = systemEngineHome } = options;
  const finding = await findEngine(socketPaths);
  if (finding.status === "ready") return finding.engine;
  const mayStart = isRoot && process.platform === "linux" && socketPaths.includes(engineHome.socketPath);
  if (finding.status !== "absent" || !mayStart) throw explainEngine(finding, process.platform);

  if (!(await hasProgram("dockerd"))) {
    if (readLinuxRelease()?.isDebianLike !== true) throw explainEngine(finding, process.platform);
    await progress.step("Installing a Docker engine with apt", (step) => installEngine(step));
  }
  return progress.step("Starting the Docker engine", (step) => startEngine(engineHome, step));
}

/** Says whether the engine that runs there was started by this command, which only root's can do and undo. */
export function isOwnEngine(engineHome: EngineHome = systemEngineHome): boolean {
  return process.getuid?.() === 0 && findRecordedProcess(recordPath(engineHome)) !== null;
}

/** Ends an engine that this command started, unless any container is left in it. */
export async function stopOwnEngine(
  engine: Engine,
  engineHome: EngineHome = systemEngineHome,
): Promise<"stopped" | "not_ours" | "in_use"> {
  if (!isOwnEngine(engineHome) || engine.socketPath !== engineHome.socketPath) return "not_ours";
  const containers = await engine.docker.listContainers({ all: true });
  if (containers.length > 0) return "in_use";
  if (!(await stopRecordedProcess(recordPath(engineHome), { graceMs: 60_000 }))) {
    throw new OperatorError("The Docker engine does not end, not even when killed: look at it with ps.");
  }
  return "stopped";
}

/** Adds a runtime to the configuration of an engine of ours and waits until the engine knows it. */
export async function registerRuntime(
  engineHome: EngineHome,
  runtime: { name: string; path: string; runtimeArgs: readonly string[] },
): Promise<void> {
  const configPath = join(engineHome.home, "daemon.json");
  const config = readConfig(configPath);
  const { name, ...entry } = runtime;
  await writeConfig(configPath, { ...config, runtimes: { ...asRecord(config["runtimes"]), [name]: entry } });
  const record = findRecordedProcess(recordPath(engineHome));
  if (record !== null) process.kill(record.pid, "SIGHUP");
  const endMs = performance.now() + 20_000;
  for (;;) {
    const finding = await probeEngine(engineHome.socketPath);
    if (finding.status === "ready" && finding.engine.runtimes.includes(name)) return;
    if (performance.now() > endMs)
      throw new OperatorError(
        `The Docker engine did not take up the runtime ${name}: see ${logPath(engineHome)}.`,
      );
    await pause(200);
  }
}

async function installEngine(step: Step): Promise<void> {
  await installPackages(["docker.io", "iptables", "ca-certificates"], step);
  // Where a package starts the engine without systemd, that one is ended: it would not know of our configuration.
  if (!hasSystemd() && existsSync("/etc/init.d/docker")) await runCommand("/etc/init.d/docker", ["stop"]);
}

async function startEngine(engineHome: EngineHome, step: Step): Promise<Engine> {
  if (hasSystemd() && engineHome === systemEngineHome) {
    const { exitCode, lastLines } = await runCommand("systemctl", ["start", "docker"]);
    if (exitCode !== 0)
      throw new OperatorError(
        `systemd could not start the Docker engine: ${lastLines} (journalctl -u docker says more).`,
      );
    step.name("Docker engine started by systemd, which keeps it");
    return waitForEngine(engineHome, () => true);
  }
  await mountControlGroups(step);
  mkdirSync(engineHome.home, { recursive: true, mode: 0o711 });
  removeStalePidFile(engineHome.pidFile);
  const configPath = join(engineHome.home, "daemon.json");
  await writeConfig(configPath, {
    "log-level": "warn",
    ...readConfig(engineHome.baseConfigPath),
    ...readConfig(configPath),
  });
  startProcess({
    spec: {
      name: "dockerd",
      program: "dockerd",
      arguments: [
        `--host=unix://${engineHome.socketPath}`,
        `--config-file=${configPath}`,
        `--pidfile=${engineHome.pidFile}`,
        ...engineHome.extraArguments,
      ],
      env: definedOf(process.env),
      cwd: "/",
      codeHash: "",
    },
    recordPath: recordPath(engineHome),
    logPath: logPath(engineHome),
    fingerprint: "",
  });
  const engine = await waitForEngine(engineHome, () => isOwnEngine(engineHome));
  step.name(`Docker engine ${engine.version} started (${dirname(configPath)} has its configuration and log)`);
  return engine;
}

async function waitForEngine(engineHome: EngineHome, isAlive: () => boolean): Promise<Engine> {
  const endMs = performance.now() + startDeadlineMs;
  for (;;) {
    const finding = await probeEngine(engineHome.socketPath);
    if (finding.status === "ready") return finding.engine;
    if (!isAlive())
      throw new OperatorError(`The Docker engine ended at once: ${lastLogLine(logPath(engineHome))}.`);
    if (performance.now() > endMs) throw explainEngine(finding, process.platform);
    await pause(200);
  }
}

/** Some machines without systemd have no control groups mounted, and an engine cannot do without. */
async function mountControlGroups(step: Step): Promise<void> {
  if (/ cgroup2? /.test(readFileSync("/proc/mounts", "utf8"))) return;
  if (!(await hasProgram("cgroupfs-mount"))) await installPackages(["cgroupfs-mount"], step);
  await runCommand("cgroupfs-mount", []);
}

/** A killed engine leaves its number behind, which may belong to any other process by now. */
function removeStalePidFile(path: string): void {
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, "utf8"));
  if (!Number.isSafeInteger(pid) || !isDockerd(pid)) rmSync(path, { force: true });
}

function isDockerd(pid: number): boolean {
  try {
    return basename(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "") === "dockerd";
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemErrorCode(error) ?? "")) return false;
    throw error;
  }
}

function hasSystemd(): boolean {
  return existsSync("/run/systemd/system");
}

function recordPath(engineHome: EngineHome): string {
  return join(engineHome.home, "dockerd.json");
}

function logPath(engineHome: EngineHome): string {
  return join(engineHome.home, "dockerd.log");
}

function readConfig(path: string): Record<string, unknown> {
  try {
    // Hosts are given on the command line, and the engine refuses to start when both say something.
    const config = { ...asRecord(JSON.parse(readFileSync(path, "utf8"))) };
    delete config["hosts"];
    return config;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return {};
    throw new OperatorError(
      `The engine's configuration ${path} cannot be understood: repair it or remove it.`,
      { cause: error },
    );
  }
}

async function writeConfig(path: string, config: Record<string, unknown>): Promise<void> {
  await writeWhole(path, `${JSON.stringify(config, null, 2)}\n`, 0o644);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

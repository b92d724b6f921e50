import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { OperatorError, systemErrorCode } from "./operator-error";

/** An engine that answers and is new enough. */
export interface Engine {
  docker: Docker;
  socketPath: string;
  version: string;
  runtimes: readonly string[];
}

export type EngineFinding =
  | { status: "ready"; engine: Engine }
  /** Nothing listens at any of these. */
  | { status: "absent"; socketPaths: readonly string[] }
  | { status: "no_rights"; socketPath: string }
  | { status: "too_old"; socketPath: string; version: string }
  | { status: "not_answering"; socketPath: string; reason: string };

export const oldestEngineVersion = "20.10";
const answerDeadlineMs = 15_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an engine may listen, in the order in which they are tried. Errors: when DOCKER_HOST is no unix socket. */
export function listSocketPaths(env: Environment): string[] {
  const host = env["DOCKER_HOST"] ?? "";
  if (host !== "") {
    if (!host.startsWith("unix://")) {
      throw new OperatorError(
        `DOCKER_HOST is ${host}, and Rhumbatron needs an engine of this machine: set it to unix:///path/to/docker.sock or unset it.`,
      );
    }
    return [host.slice("unix://".length)];
  }
  const runtimeDir = env["XDG_RUNTIME_DIR"] ?? "";
  return [
    "/var/run/docker.sock",
    join(homedir(), ".docker", "run", "docker.sock"),
    ...(runtimeDir === "" ? [] : [join(runtimeDir, "docker.sock")]),
  ];
}

/** Finds the first engine that is there, whether it can be used or not. */
export async function findEngine(socketPaths: readonly string[]): Promise<EngineFinding> {
  for (const socketPath of socketPaths) {
    if (!existsSync(socketPath)) continue;
    const finding = await probeEngine(socketPath);
    if (finding.status !== "absent") return finding;
  }
  return { status: "absent", socketPaths };
}

/** Asks one socket. One that is left behind by an engine that ended counts as absent. */
export async function probeEngine(socketPath: string): Promise<EngineFinding> {
  const docker = new Docker({ socketPath, timeout: answerDeadlineMs });
  try {
    const [version, info] = await Promise.all([docker.version(), docker.info() as Promise<unknown>]);
    if (compareVersions(version.Version, oldestEngineVersion) < 0) {
      return { status: "too_old", socketPath, version: version.Version };
    }
    // Builds and waits take longer than a first answer.
    const patient = new Docker({ socketPath });
    return {
      status: "ready",
      engine: { docker: patient, socketPath, version: version.Version, runtimes: readRuntimes(info) },
    };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTSOCK")
      return { status: "absent", socketPaths: [socketPath] };
    if (code === "EACCES" || code === "EPERM") return { status: "no_rights", socketPath };
    return {
      status: "not_answering",
      socketPath,
      reason: error instanceof Error ? error.message : String(error),
    };
  }
}

/** The sentence for an engine that is there and cannot be used, or that is not there and is not installed for you. */
export function explainEngine(
  finding: Exclude<EngineFinding, { status: "ready" }>,
  platform: NodeJS.Platform,
): OperatorError {
  switch (finding.status) {
    case "absent":
      return new OperatorError(
        platform === "darwin"
          ? "No Docker engine answers: start Docker Desktop (or OrbStack, or colima) and run this again."
          : `No Docker engine answers at ${finding.socketPaths.join(" or ")}: install one (on Debian and Ubuntu: sudo apt-get install docker.io), start it, add yourself to the group docker, and run this again; as root this command does it for you.`,
      );
    case "no_rights":
      return new OperatorError(
        `You may not use the Docker engine at ${finding.socketPath}: add yourself to the group docker (sudo usermod -aG docker "$USER"), sign in again, and run this again.`,
      );
    case "too_old":
      return new OperatorError(
        `The Docker engine at ${finding.socketPath} is ${finding.version} and Rhumbatron needs ${oldestEngineVersion} or later: upgrade it.`,
      );
    case "not_answering":
      return new OperatorError(
        `The Docker engine at ${finding.socketPath} does not answer as it should (${finding.reason}): restart it and run this again.`,
      );
  }
}

/** Compares `20.10.24+dfsg1` and the like by their leading numbers. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string): number[] =>
    (/^\d+(\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

function readRuntimes(info: unknown): string[] {
  if (typeof info !== "object" || info === null || !("Runtimes" in info)) return [];
  return Object.keys(info.Runtimes ?? {});
}

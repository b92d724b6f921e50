import { execFile, spawn } from "node:child_process";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JWK } from "jose";
import { createGitClient } from "../git/client";
import { createGitServer, type GitServer } from "../git/git-server";
import { importLimits, type ImportLimits } from "../git/imports";
import { forkPath } from "../git/repository-paths";
import { doorLimits, type DoorLimits } from "../git/smart-http";
import type { ForkName, GitService } from "../git/types";
import { upkeepLimits, type UpkeepLimits } from "../git/upkeep";
import { createSystemClock, type Clock } from "../platform/clock";
import { createControlServer, type ControlServer } from "../platform/control-server";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger, type Logger } from "../platform/logger";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  type ServiceTokenSigner,
} from "../platform/service-token";

/** The git service in this process on loopback, with a client as web has one and a folder for git's own clients. */
export interface GitWorld {
  client: GitService;
  signer: ServiceTokenSigner;
  doorUrl: string;
  controlUrl: string;
  repositories: string;
  /** A folder for clones; removed at the end. */
  folder: string;
  /** Stops the service and starts it anew on the same repositories, as after a kill. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface GitWorldOptions {
  door?: Partial<DoorLimits>;
  imports?: Partial<ImportLimits>;
  upkeep?: Partial<UpkeepLimits>;
  importAllowedHosts?: readonly string[];
  hostAddresses?: readonly string[];
  resolve?: (host: string) => Promise<string[]>;
  clock?: Clock;
  logger?: Logger;
}

/** A key pair as an installation makes one. */
export function createServiceKeys(): { privateJwk: JWK; publicJwk: JWK } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { privateJwk: privateKey.export({ format: "jwk" }), publicJwk: publicKey.export({ format: "jwk" }) };
}

export async function createGitWorld(options: GitWorldOptions = {}): Promise<GitWorld> {
  const root = await mkdtemp(join(tmpdir(), "rhumbatron-git-"));
  const repositories = join(root, "repositories");
  const folder = join(root, "clients");
  await Promise.all([mkdir(repositories), mkdir(folder)]);
  const clock = options.clock ?? createSystemClock();
  const { privateJwk, publicJwk } = createServiceKeys();
  const signer = await createServiceTokenSigner(privateJwk, clock);
  const verifier = await createServiceTokenVerifier(publicJwk, clock);
  const start = async (ports: Ports): Promise<Running> => {
    const service = createGitServer({
      repositoriesDirectory: repositories,
      verifier,
      clock,
      ids: createSystemIds(),
      logger: options.logger ?? createSilentLogger(),
      resolve: options.resolve ?? (() => Promise.reject(new Error("no names here"))),
      importAllowedHosts: options.importAllowedHosts ?? [],
      hostAddresses: options.hostAddresses ?? [],
      doorLimits: { ...doorLimits, ...options.door },
      importLimits: { ...importLimits, ...options.imports },
      upkeepLimits: { ...upkeepLimits, ...options.upkeep },
    });
    await service.recover();
    const control = createControlServer({
      network: { address: "127.0.0.1", cidr: "127.0.0.0/8" },
      health: () => Promise.resolve({ status: "ok", detail: "" }),
      routes: service.routes,
      logger: createSilentLogger(),
    });
    const { port: controlPort } = await control.listen(ports.control);
    service.door.listen(ports.door, "127.0.0.1");
    await once(service.door, "listening");
    return {
      service,
      control,
      ports: { door: (service.door.address() as AddressInfo).port, control: controlPort },
    };
  };
  const stop = async (): Promise<void> => {
    running.service.door.closeAllConnections();
    running.service.door.close();
    await Promise.all([running.control.close(), running.service.close()]);
  };
  let running = await start({ door: 0, control: 0 });
  const { ports } = running;
  const controlUrl = `http://127.0.0.1:${ports.control}`;
  return {
    client: createGitClient({ baseUrl: controlUrl, signer, clock, ids: createSystemIds() }),
    signer,
    doorUrl: `http://127.0.0.1:${ports.door}`,
    controlUrl,
    repositories,
    folder,
    restart: async () => {
      await stop();
      running = await start(ports);
    },
    close: async () => {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Ports {
  door: number;
  control: number;
}

interface Running {
  service: GitServer;
  control: ControlServer;
  ports: Ports;
}

export interface ClientEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** git as a sandbox runs it, without any configuration of this machine. Never rejects for an exit code. */
export function git(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string | Buffer } = {},
): Promise<ClientEnd> {
  return new Promise((resolve) => {
    const child = execFile(
      "git",
      [...args],
      {
        cwd: options.cwd ?? "/",
        env: { ...clientEnvironment, ...options.env } as unknown as NodeJS.ProcessEnv,
        maxBuffer: 256 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input ?? "");
  });
}

/** As `git`, and throws when it fails. Gives what it printed, trimmed. */
export async function mustGit(...input: Parameters<typeof git>): Promise<string> {
  const end = await git(...input);
  if (end.code !== 0) throw new Error(`git ${input[0].join(" ")}: ${end.stderr}`);
  return end.stdout.trim();
}

const clientEnvironment = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.test",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.test",
  GIT_AUTHOR_DATE: "@1700000000 +0000",
  GIT_COMMITTER_DATE: "@1700000000 +0000",
};

/** The environment in which a git client says a Run's token, as sandboxd gives it: in a setting, never among the arguments. */
export function withToken(token: string): Record<string, string> {
  const credentials = Buffer.from(`run:${token}`).toString("base64");
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
  };
}

/** A Project with a canonical repository whose branch `main` holds the given files in one commit. */
export async function createProject(
  world: GitWorld,
  files: Readonly<Record<string, string | Buffer>> = { "README.md": "hello\n" },
): Promise<{ projectId: string; commit: string; source: string }> {
  const projectId = randomUUID();
  const source = join(world.folder, projectId);
  await mustGit(["init", "--quiet", "-b", "main", source]);
  const commit = await commitFiles(source, files);
  await world.client.createRepository({ projectId, defaultBranch: "main" });
  await mustGit(["push", "--quiet", join(world.repositories, projectId, "canonical.git"), "main"], {
    cwd: source,
  });
  return { projectId, commit, source };
}

/** Writes files into a working tree and commits everything. */
export async function commitFiles(
  directory: string,
  files: Readonly<Record<string, string | Buffer>>,
  message = "change",
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  await mustGit(["add", "-A"], { cwd: directory });
  await mustGit(["commit", "--quiet", "--allow-empty", "-m", message], { cwd: directory });
  return mustGit(["rev-parse", "HEAD"], { cwd: directory });
}

/** A fork of a new Run. */
export async function createFork(
  world: GitWorld,
  project: { projectId: string; commit: string },
): Promise<ForkName & { runId: string; url: string }> {
  const runId = randomUUID();
  const fork = { projectId: project.projectId, forkName: `ws-${runId}` };
  await world.client.createFork({ ...fork, startCommit: project.commit });
  return { ...fork, runId, url: `${world.doorUrl}${forkPath(fork)}` };
}

/** Clones a fork with a token of its own and gives the directory. */
export async function cloneFork(
  world: GitWorld,
  fork: ForkName & { runId: string; url: string },
): Promise<string> {
  const { token } = await world.client.mintFetchToken(fork);
  const directory = join(world.folder, randomUUID());
  await mustGit(["clone", "--quiet", fork.url, directory], { env: withToken(token) });
  return directory;
}

/** Starts git and leaves it running. */
export function startGit(
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): {
  kill(): void;
  ended: Promise<unknown>;
} {
  const child = spawn("git", [...args], {
    cwd: options.cwd,
    env: { ...clientEnvironment, ...options.env } as unknown as NodeJS.ProcessEnv,
    stdio: "ignore",
    detached: true,
  });
  const ended = once(child, "close");
  const kill = (): void => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  return { kill, ended };
}

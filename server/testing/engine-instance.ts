import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn, type ChildProcess } from "node:child_process";
import Docker from "dockerode";
import { build } from "esbuild";
import { createDockerProxy } from "../docker-proxy/server";
import { createSystemClock } from "../platform/clock";
import { parseSettings, type Settings } from "../platform/config";
import { createSystemIds } from "../platform/ids";
import {
  instanceLabel,
  labelsOf,
  serviceContainerName,
  serviceNetworkName,
  type Instance,
} from "../platform/instance";
import { createSilentLogger, type Logger } from "../platform/logger";
import { createSandboxdClient } from "../sandboxd/client";
import { createDockerEngine } from "../sandboxd/engine-docker";
import { listHostSubnets } from "../sandboxd/host-subnets";
import { createSandboxdServer } from "../sandboxd/http-server";
import { parseSandboxId } from "../sandboxd/sandbox-id";
import { createSandboxd, type Sandboxd } from "../sandboxd/sandboxd";
import { createSupervisorClient } from "../sandboxd/supervisor-client";
import type { SandboxId, SandboxRuntime, Sandboxes } from "../sandboxd/types";
import { testEngineSocket, testSandboxImage } from "./int-environment";

/** One instance of the product's container side on a real engine, beside whatever else runs on it. */
export interface EngineInstance {
  instance: Instance;
  settings: Settings;
  /** The engine itself, for what a test does by hand or looks at from outside. */
  docker: Docker;
  proxySocket: string;
  sandboxdSocket: string;
  sandboxes: Sandboxes;
  /** Starts the sandboxd that `sandboxes` speaks to, in this process. */
  startSandboxd(): Promise<RunningSandboxd>;
  /** Starts it as a process of its own, which a test may kill. */
  startSandboxdProcess(): Promise<ChildProcess>;
  /** Containers of this instance's Sandboxes, whatever their state. */
  listSandboxContainers(): Promise<Docker.ContainerInfo[]>;
  /** Starts small containers that stand in for git and egress; again, after one was removed. */
  startServices(): Promise<void>;
  /** Removes every container, network and socket of the instance. */
  close(): Promise<void>;
}

export interface RunningSandboxd {
  sandboxd: Sandboxd;
  stop(): Promise<void>;
}

/** A sandbox ID that nothing else has. */
export function newSandboxId(): SandboxId {
  const id = parseSandboxId(`proj-${randomUUID()}`);
  if (id === null) throw new Error("a uuid makes a sandbox ID");
  return id;
}

/** Makes the instance with its proxy; no container is started before one is asked for. */
export async function createEngineInstance(
  runtime: SandboxRuntime,
  env: Record<string, string> = {},
  logger: Logger = createSilentLogger(),
): Promise<EngineInstance> {
  const id = randomUUID();
  const instance: Instance = { id, suffix: id.slice(0, 8) };
  const directory = await mkdtemp(join(tmpdir(), "rhumbatron-"));
  const proxySocket = join(directory, "proxy.sock");
  const sandboxdSocket = join(directory, "sandboxd.sock");
  const environment = {
    SANDBOX_IMAGE: testSandboxImage,
    SANDBOX_RUNTIME: runtime,
    SANDBOX_MEMORY_MB: "512",
    SANDBOX_CPUS: "1",
    SANDBOX_PIDS: "128",
    SANDBOX_WARM: "0",
    ...env,
  };
  const settings = parseSettings(environment);
  const docker = new Docker({ socketPath: testEngineSocket });
  const clock = createSystemClock();
  const proxy = createDockerProxy({ engineSocket: testEngineSocket, settings, instance, logger });
  await listen(proxy, proxySocket);
  const children: ChildProcess[] = [];
  const bundlePath = join("node_modules", ".cache", "rhumbatron", `sandboxd-${instance.suffix}.mjs`);
  /** Made once, because a process that is killed and started many times should not compile each time. */
  let bundle: Promise<string> | null = null;
  const running: RunningSandboxd[] = [];

  async function startSandboxd(): Promise<RunningSandboxd> {
    const sandboxd = createSandboxd({
      engine: createDockerEngine({ socketPath: proxySocket, instance, clock, logger }),
      connect: (stream) => createSupervisorClient({ stream, clock, logger }),
      listHostSubnets,
      settings,
      instance,
      clock,
      ids: createSystemIds(),
      logger,
    });
    const server = createSandboxdServer({ ...sandboxd, logger });
    await rm(sandboxdSocket, { force: true });
    await listen(server.http, sandboxdSocket);
    sandboxd.start();
    const one = {
      sandboxd,
      stop: async () => {
        sandboxd.stop();
        await server.stop();
      },
    };
    running.push(one);
    return one;
  }

  async function startSandboxdProcess(): Promise<ChildProcess> {
    bundle ??= bundleSandboxd(bundlePath);
    const child = spawn(process.execPath, [await bundle], {
      env: {
        ...process.env,
        ...environment,
        DOCKER_PROXY_SOCKET: proxySocket,
        SANDBOXD_SOCKET: sandboxdSocket,
        RHUMBATRON_INSTANCE: instance.id,
        RHUMBATRON_INSTANCE_SUFFIX: instance.suffix,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`sandboxd ended with ${String(code)}`)));
      child.stdout?.on("data", (piece: Buffer) => {
        if (piece.includes('"listening"')) resolve();
      });
    });
    return child;
  }

  const filters = { label: [`${instanceLabel}=${instance.id}`] };
  return {
    instance,
    settings,
    docker,
    proxySocket,
    sandboxdSocket,
    sandboxes: createSandboxdClient({ socketPath: sandboxdSocket, clock }),
    startSandboxd,
    startSandboxdProcess,
    listSandboxContainers: () =>
      docker.listContainers({
        all: true,
        filters: { label: [...filters.label, "rhumbatron.purpose=sandbox"] },
      }),
    startServices: async () => {
      await startServices(docker, instance);
    },
    close: async () => {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(running.map((one) => one.stop()));
      proxy.close();
      proxy.closeAllConnections();
      await removeAll(docker, filters);
      await rm(directory, { recursive: true, force: true });
      await rm(bundlePath, { force: true });
    },
  };
}

async function listen(server: Server, socketPath: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
}

/** Below node_modules, where its imports are found. */
async function bundleSandboxd(outfile: string): Promise<string> {
  const entryPoints = ["server/entry/sandboxd.ts"];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  return outfile;
}

/** Answers on the service port everywhere, and on the control port only on the ordinary network. */
const standIn = `
const own = Object.values(require("node:os").networkInterfaces()).flat().find((one) => !one.internal && one.family === "IPv4");
const serve = (hostname, port) => Bun.listen({ hostname, port, socket: { open(s) { s.end("hello from " + port); }, data() {} } });
serve("0.0.0.0", Number(process.argv[1]));
serve(own.address, Number(process.argv[2]));
`;

async function startServices(docker: Docker, instance: Instance): Promise<void> {
  const network = serviceNetworkName(instance);
  const present = await docker.listNetworks({ filters: { name: [network] } });
  if (present.length === 0)
    await docker.createNetwork({ Name: network, Labels: labelsOf(instance, "service-network") });
  for (const [service, port, controlPort] of [
    ["git", "8080", "8081"],
    ["egress", "3128", "3129"],
  ] as const) {
    const name = serviceContainerName(instance, service);
    const found = await docker.listContainers({ all: true, filters: { name: [`^/${name}$`] } });
    if (found.length > 0) continue;
    const container = await docker.createContainer({
      name,
      Image: testSandboxImage,
      Entrypoint: ["bun", "-e", standIn, port, controlPort],
      Labels: labelsOf(instance, service),
      HostConfig: { NetworkMode: network, Init: true },
    });
    await container.start();
  }
}

async function removeAll(docker: Docker, filters: { label: string[] }): Promise<void> {
  const containers = await docker.listContainers({ all: true, filters });
  await Promise.all(
    containers.map((one) =>
      docker
        .getContainer(one.Id)
        .remove({ force: true, v: true })
        .catch((error: unknown) => {
          const { statusCode } = error as { statusCode?: number };
          if (statusCode !== 404 && statusCode !== 409) throw error;
        }),
    ),
  );
  const clock = createSystemClock();
  while ((await docker.listContainers({ all: true, filters })).length > 0) await clock.sleep(100);
  for (const one of await docker.listNetworks({ filters })) await docker.getNetwork(one.Id).remove();
}

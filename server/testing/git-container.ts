import Docker from "dockerode";
import { randomUUID } from "node:crypto";
import { createGitClient } from "../git/client";
import type { GitService } from "../git/types";
import { createSystemClock } from "../platform/clock";
import { createSystemIds } from "../platform/ids";
import { createServiceTokenSigner, type ServiceTokenSigner } from "../platform/service-token";
import { createServiceKeys } from "./git-world";
import { testEngineSocket, testServiceImage } from "./int-environment";

/** The git service as it is shipped: in its image, under bun, as nobody, with its limits. */
export interface GitContainer {
  signer: ServiceTokenSigner;
  /** How it is reached now; after `killAndStart` its ports may be others. */
  current(): { client: GitService; doorUrl: string };
  /** Files below the repositories that match a pattern of find's `-name`. */
  find(pattern: string): Promise<string[]>;
  /** Command lines of git processes at work. */
  gitProcesses(): Promise<string[]>;
  /** Peak memory that the container used, where the engine says so. */
  memoryBytesPeak(): Promise<number | null>;
  /** Kills it like a power cut would and starts it anew. */
  killAndStart(): Promise<void>;
  close(): Promise<void>;
}

const label = "rhumbatron.git-test";

/** Where it stands on the engine, when another test's parts have to find it there. */
export interface GitContainerPlace {
  name: string;
  labels: Record<string, string>;
  network: string;
}

export async function createGitContainer(place?: GitContainerPlace): Promise<GitContainer> {
  const engine = new Docker({ socketPath: testEngineSocket });
  const id = randomUUID();
  const { privateJwk, publicJwk } = createServiceKeys();
  const clock = createSystemClock();
  const signer = await createServiceTokenSigner(privateJwk, clock);
  const ports = ["8080", "8081"];
  const container = await engine.createContainer({
    name: place?.name ?? `rhumbatron-git-test-${id.slice(0, 8)}`,
    Labels: place?.labels ?? { [label]: id },
    Image: testServiceImage,
    Cmd: ["/app/git.js"],
    Env: [`SERVICE_PUBLIC_KEY=${JSON.stringify(publicJwk)}`],
    Volumes: { "/var/lib/rhumbatron/git": {} },
    ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
    HostConfig: {
      ...(place === undefined ? {} : { NetworkMode: place.network }),
      Init: true,
      ReadonlyRootfs: true,
      Tmpfs: { "/tmp": "size=16m" },
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Memory: 512 * 1024 * 1024,
      MemorySwap: 512 * 1024 * 1024,
      PidsLimit: 256,
      PortBindings: Object.fromEntries(
        ports.map((port) => [`${port}/tcp`, [{ HostIp: "127.0.0.1", HostPort: "" }]]),
      ),
    },
  });
  const close = (): Promise<void> => container.remove({ force: true, v: true }) as Promise<void>;
  const start = async (): Promise<{ client: GitService; doorUrl: string }> => {
    await container.start();
    const { NetworkSettings } = await container.inspect();
    const urlOf = (port: string): string =>
      `http://127.0.0.1:${NetworkSettings.Ports[`${port}/tcp`]?.[0]?.HostPort ?? ""}`;
    const baseUrl = urlOf("8081");
    while (!(await isHealthy(baseUrl))) {
      if (!(await container.inspect()).State.Running) throw new Error("the git service ended at once");
      await clock.sleep(50);
    }
    return {
      client: createGitClient({ baseUrl, signer, clock, ids: createSystemIds() }),
      doorUrl: urlOf("8080"),
    };
  };
  const run = async (command: string[]): Promise<string> => {
    const exec = await container.exec({ Cmd: command, AttachStdout: true, Tty: true });
    const stream = await exec.start({ Tty: true });
    let text = "";
    for await (const piece of stream as AsyncIterable<Buffer>) text += piece.toString("utf8");
    return text;
  };
  try {
    let running = await start();
    return {
      signer,
      current: () => running,
      find: async (pattern) =>
        (await run(["find", "/var/lib/rhumbatron/git", "-name", pattern]))
          .split(/\r?\n/)
          .filter((line) => line !== ""),
      gitProcesses: async () =>
        (await run(["ps", "-eo", "args"]))
          .split(/\r?\n/)
          .filter((line) => /(^|\/)git .*(pack|index)/.test(line)),
      memoryBytesPeak: async () => {
        const stats = (await container.stats({ stream: false })) as { memory_stats?: { max_usage?: number } };
        return stats.memory_stats?.max_usage ?? null;
      },
      killAndStart: async () => {
        await container.kill({ signal: "SIGKILL" });
        await container.wait();
        running = await start();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function isHealthy(baseUrl: string): Promise<boolean> {
  // While it starts, the engine may take a connection that nobody answers.
  const signal = AbortSignal.timeout(2_000);
  const answer = await fetch(`${baseUrl}/health`, { signal }).catch(() => null);
  return answer?.ok === true;
}

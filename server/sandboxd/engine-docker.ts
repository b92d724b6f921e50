import type { Duplex } from "node:stream";
import Docker from "dockerode";
import type { Clock } from "../platform/clock";
import { describeError } from "../platform/errors";
import { instanceLabel, type Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { execStartBody, supervisorExecBody } from "./container-spec";
import {
  EngineError,
  isEngineError,
  type ContainerFacts,
  type ContainerState,
  type ContainerSummary,
  type NetworkFacts,
  type SandboxEngine,
} from "./engine";
import { createExecStream } from "./exec-stream";

/** Reads and small changes. */
const shortDeadlineMs = 10_000;
/** Start and removal, which wait for the runtime. */
const longDeadlineMs = 60_000;

/**
 * The engine over its HTTP API, through the socket proxy. Errors are told apart by status code; the one exception is
 * 403 when a network is made, which the engine says for an overlapping subnet and the proxy for a refused call.
 */
export function createDockerEngine(deps: {
  socketPath: string;
  instance: Instance;
  clock: Clock;
  logger: Logger;
}): SandboxEngine {
  const { socketPath, instance, clock, logger } = deps;
  const docker = new Docker({ socketPath });
  const ownOnly = JSON.stringify({ label: [`${instanceLabel}=${instance.id}`] });
  const ask: Ask = (what, call, deadlineMs = shortDeadlineMs) =>
    withDeadline({ what, call, deadlineMs, clock, socketPath });
  return {
    ...describeCalls(docker, ask),
    ...containerCalls(docker, ask, ownOnly, logger),
    ...networkCalls(docker, ask, ownOnly),
  };
}

/** Makes one call with a deadline; `what` completes "the engine did not …". */
type Ask = <Value>(
  what: string,
  call: (signal: AbortSignal) => Promise<Value>,
  deadlineMs?: number,
) => Promise<Value>;

function describeCalls(docker: Docker, ask: Ask): Pick<SandboxEngine, "describe" | "findImage"> {
  return {
    describe: () =>
      ask("describe itself", async () => {
        const [version, info] = (await Promise.all([docker.version(), docker.info()])) as [
          RawVersion,
          RawInfo,
        ];
        return {
          version: version.Version,
          apiVersion: version.ApiVersion,
          runtimes: Object.keys(info.Runtimes ?? {}),
          storageDriver: info.Driver,
          backingFilesystem:
            (info.DriverStatus ?? []).find(([name]) => name === "Backing Filesystem")?.[1] ?? "",
        };
      }),
    findImage: (name) =>
      orNull(
        ask("inspect the image", async () => {
          const image = await docker.getImage(name).inspect();
          return image.Id;
        }),
      ),
  };
}

type NetworkCall = Extract<
  keyof SandboxEngine,
  `${string}Network` | `${string}Networks` | `${string}Service`
>;

function networkCalls(docker: Docker, ask: Ask, ownOnly: string): Pick<SandboxEngine, NetworkCall> {
  return {
    listNetworks: () =>
      ask("list networks", async (abortSignal) => {
        const list = (await docker.listNetworks(
          withQuery({ filters: ownOnly }, {}, abortSignal),
        )) as unknown as RawNetwork[];
        return list.map(toNetworkFacts);
      }),
    createNetwork: (body) =>
      ask(
        "create a network",
        async (abortSignal) => {
          const network = await docker.createNetwork(withQuery({}, body, abortSignal));
          return network.id;
        },
        longDeadlineMs,
      ),
    removeNetwork: (id) =>
      ask(
        "remove a network",
        async (abortSignal) => {
          await (docker.getNetwork(id).remove(withQuery({}, {}, abortSignal)) as Promise<unknown>).catch(
            ignoreStatus(404),
          );
        },
        longDeadlineMs,
      ),
    connectService: (networkId, containerId, endpoint) =>
      ask(
        "attach a service",
        async (abortSignal) => {
          const body = { Container: containerId, EndpointConfig: endpoint };
          await docker.getNetwork(networkId).connect(withQuery({}, body, abortSignal));
        },
        longDeadlineMs,
      ),
    disconnectService: (networkId, containerId) =>
      ask(
        "detach a service",
        async (abortSignal) => {
          const body = { Container: containerId, Force: true };
          const answer = docker
            .getNetwork(networkId)
            .disconnect(withQuery({}, body, abortSignal)) as Promise<unknown>;
          await answer.catch(ignoreStatus(404));
        },
        longDeadlineMs,
      ),
  };
}

function containerCalls(
  docker: Docker,
  ask: Ask,
  ownOnly: string,
  logger: Logger,
): Omit<SandboxEngine, NetworkCall | "describe" | "findImage"> {
  return {
    listContainers: () =>
      ask("list containers", async (abortSignal) => {
        const list = await docker.listContainers(
          withQuery({ all: "true", filters: ownOnly }, {}, abortSignal),
        );
        return list.map(toContainerSummary);
      }),
    findContainer: (idOrName) =>
      orNull(
        ask("inspect a container", async (abortSignal) =>
          toContainerFacts(await docker.getContainer(idOrName).inspect(withQuery({}, {}, abortSignal))),
        ),
      ),
    createContainer: (name, body) =>
      ask(
        "create a container",
        async (abortSignal) => {
          const container = await docker.createContainer(withQuery({ name }, body, abortSignal));
          return container.id;
        },
        longDeadlineMs,
      ),
    startContainer: (id) =>
      ask(
        "start a container",
        async (abortSignal) => {
          await docker
            .getContainer(id)
            .start(withQuery({}, {}, abortSignal))
            .catch(ignoreStatus(304));
        },
        longDeadlineMs,
      ),
    renameContainer: (id, name) =>
      ask("rename a container", async (abortSignal) => {
        await docker.getContainer(id).rename(withQuery({ name }, {}, abortSignal));
      }),
    removeContainer: (id) =>
      ask(
        "remove a container",
        async (abortSignal) => {
          await docker.getContainer(id).remove(withQuery({ force: "true", v: "true" }, {}, abortSignal));
        },
        longDeadlineMs,
      ).then(
        () => "done" as const,
        (error: unknown) => {
          if (isEngineError(error, "absent")) return "done";
          if (isEngineError(error, "conflict")) return "in_progress";
          throw error;
        },
      ),
    openSupervisorStream: (containerId) =>
      ask("open a stream", async (abortSignal) => {
        const exec = await docker
          .getContainer(containerId)
          .exec(withQuery({}, supervisorExecBody, abortSignal));
        const options = { hijack: true, stdin: true, ...withQuery({}, execStartBody, undefined) };
        const connection: Duplex = await exec.start(options);
        return createExecStream(connection, (text) =>
          logger.info({ containerId, text }, "the way to a supervisor said something"),
        );
      }),
  };
}

/** dockerode takes query and body apart only under these two names. */
function withQuery<Body extends object>(
  query: Record<string, string>,
  body: Body,
  abortSignal: AbortSignal | undefined,
): Body & { abortSignal: AbortSignal } {
  return { _query: query, _body: body, abortSignal } as unknown as Body & { abortSignal: AbortSignal };
}

async function withDeadline<Value>(input: {
  what: string;
  call: (signal: AbortSignal) => Promise<Value>;
  deadlineMs: number;
  clock: Clock;
  socketPath: string;
}): Promise<Value> {
  const { what, call, deadlineMs, clock, socketPath } = input;
  const overdue = new AbortController();
  const done = new AbortController();
  const deadline = clock.sleep(deadlineMs, done.signal).then(
    () => {
      overdue.abort();
      throw new EngineError(
        "unavailable",
        `The engine did not ${what} within ${deadlineMs / 1000} s (through ${socketPath}).`,
      );
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([call(overdue.signal), deadline]);
  } catch (error) {
    throw error instanceof EngineError ? error : toEngineError(error, what, socketPath);
  } finally {
    done.abort();
  }
}

interface ResponseError {
  statusCode?: number;
  json?: { message?: string; refusedBy?: string };
}

function toEngineError(error: unknown, what: string, socketPath: string): EngineError {
  const { statusCode, json } = error as ResponseError;
  const said = json?.message ?? describeError(error);
  const as = (kind: EngineError["kind"], message: string): EngineError =>
    new EngineError(kind, message, { cause: error });
  if (statusCode === undefined)
    return as("unavailable", `The engine does not answer through ${socketPath}: ${describeError(error)}.`);
  if (statusCode === 503 || statusCode === 502) return as("unavailable", said);
  if (statusCode === 404) return as("absent", said);
  if (statusCode === 409) return as("conflict", said);
  if (statusCode === 403 && what === "create a network" && json?.refusedBy === undefined)
    return as("overlap", said);
  return as("refused", `The engine refused to ${what}: ${said}`);
}

function ignoreStatus(status: number): (error: unknown) => void {
  return (error) => {
    if ((error as ResponseError).statusCode !== status) throw error;
  };
}

async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (isEngineError(error, "absent")) return null;
    throw error;
  }
}

interface RawVersion {
  Version: string;
  ApiVersion: string;
}

interface RawInfo {
  Driver: string;
  DriverStatus?: [string, string][];
  Runtimes?: Record<string, unknown>;
}

interface RawNetwork {
  Id: string;
  Name: string;
  Driver: string;
  Internal: boolean;
  EnableIPv6: boolean;
  IPAM: { Config?: { Subnet?: string; IPRange?: string }[] | null };
  Options: Record<string, string> | null;
  Labels: Record<string, string> | null;
}

function toContainerSummary(raw: Docker.ContainerInfo): ContainerSummary {
  return {
    id: raw.Id,
    name: (raw.Names[0] ?? "").replace(/^\//, ""),
    state: raw.State as ContainerState,
    labels: raw.Labels,
  };
}

function toContainerFacts(raw: Docker.ContainerInspectInfo): ContainerFacts {
  return {
    id: raw.Id,
    name: raw.Name.replace(/^\//, ""),
    state: raw.State.Status as ContainerState,
    labels: raw.Config.Labels,
    imageId: raw.Image,
    startedAt: raw.State.StartedAt,
    exitCode: raw.State.ExitCode,
    wasOutOfMemory: raw.State.OOMKilled,
    networks: Object.entries(raw.NetworkSettings.Networks).map(([networkName, endpoint]) => ({
      networkName,
      networkId: endpoint.NetworkID,
      address: endpoint.IPAddress,
      fixedAddress: (endpoint.IPAMConfig as { IPv4Address?: string } | null)?.IPv4Address ?? null,
      aliases: (endpoint.Aliases as string[] | null) ?? [],
    })),
  };
}

function toNetworkFacts(raw: RawNetwork): NetworkFacts {
  return {
    id: raw.Id,
    name: raw.Name,
    driver: raw.Driver,
    isInternal: raw.Internal,
    hasIpv6: raw.EnableIPv6,
    subnets: (raw.IPAM.Config ?? []).map((one) => ({ subnet: one.Subnet ?? "", range: one.IPRange ?? null })),
    options: raw.Options ?? {},
    labels: raw.Labels ?? {},
  };
}

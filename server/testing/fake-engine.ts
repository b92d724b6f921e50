import { Duplex } from "node:stream";
import { instanceLabel, type Instance } from "../platform/instance";
import { EngineError, type ContainerFacts, type NetworkFacts, type SandboxEngine } from "../sandboxd/engine";
import { createFakeSupervisor, idleStatus, type FakeSupervisor } from "./fake-supervisor";

/** An engine in memory, with names that are taken, subnets that overlap, and whatever goes wrong that a test wants. */
export interface FakeEngine extends SandboxEngine {
  readonly containers: Map<string, ContainerFacts>;
  readonly networks: Map<string, NetworkFacts>;
  /** Calls made, by name. */
  readonly calls: string[];
  /** Makes the named call fail until it is set again. */
  readonly failures: Map<keyof SandboxEngine, Error>;
  /** Subnets that something else on the engine holds. */
  readonly takenSubnets: Set<string>;
  image: string | null;
  /** The supervisor's client for a stream that this engine opened. */
  connect(stream: Duplex): FakeSupervisor;
  supervisorsOf(containerId: string): FakeSupervisor[];
  /** The container dies by itself. */
  die(containerId: string, exitCode: number): void;
}

interface Inside {
  state: ReturnType<typeof idleStatus>;
  started: string[];
  touches: number[];
  supervisors: FakeSupervisor[];
}

export function createFakeEngine(instance: Instance): FakeEngine {
  const containers = new Map<string, ContainerFacts>();
  const networks = new Map<string, NetworkFacts>();
  const inside = new Map<string, Inside>();
  const streams = new WeakMap<Duplex, string>();
  const calls: string[] = [];
  const failures = new Map<keyof SandboxEngine, Error>();
  const takenSubnets = new Set<string>();
  let lastId = 0;

  async function begin(call: keyof SandboxEngine): Promise<void> {
    calls.push(call);
    await Promise.resolve();
    const failure = failures.get(call);
    if (failure !== undefined) throw failure;
  }
  const get = (id: string): ContainerFacts => {
    const found = containers.get(id);
    if (found === undefined) throw new EngineError("absent", `No such container: ${id}`);
    return found;
  };
  const change = (id: string, facts: Partial<ContainerFacts>): void =>
    void containers.set(id, { ...get(id), ...facts });
  const insideOf = (id: string): Inside => {
    const found = inside.get(id) ?? { state: idleStatus(), started: [], touches: [], supervisors: [] };
    inside.set(id, found);
    return found;
  };
  const loseAll = (id: string): void => insideOf(id).supervisors.forEach((one) => one.lose());

  const engine: FakeEngine = {
    containers,
    networks,
    calls,
    failures,
    takenSubnets,
    image: `sha256:${"1".repeat(64)}`,
    connect: (stream) => {
      const id = streams.get(stream) ?? "";
      const supervisor = createFakeSupervisor(insideOf(id));
      insideOf(id).supervisors.push(supervisor);
      return supervisor;
    },
    supervisorsOf: (id) => insideOf(id).supervisors,
    die: (id, exitCode) => {
      change(id, { state: "exited", exitCode });
      loseAll(id);
    },
    describe: async () => {
      await begin("describe");
      return {
        version: "20.10",
        apiVersion: "1.41",
        runtimes: ["runc", "runsc"],
        storageDriver: "overlay2",
        backingFilesystem: "extfs",
      };
    },
    findImage: async () => {
      await begin("findImage");
      return engine.image;
    },
    listContainers: async () => {
      await begin("listContainers");
      return [...containers.values()].filter((one) => one.labels[instanceLabel] === instance.id);
    },
    findContainer: async (idOrName) => {
      await begin("findContainer");
      return (
        containers.get(idOrName) ?? [...containers.values()].find((one) => one.name === idOrName) ?? null
      );
    },
    createContainer: async (name, body) => {
      await begin("createContainer");
      if ([...containers.values()].some((one) => one.name === name))
        throw new EngineError("conflict", `${name} is taken`);
      const id = String(++lastId).padStart(64, "0");
      containers.set(id, {
        id,
        name,
        state: "created",
        labels: body.Labels,
        imageId: body.Image,
        startedAt: "2026-01-15T12:00:00Z",
        exitCode: 0,
        wasOutOfMemory: false,
        networks: [],
      });
      return id;
    },
    startContainer: async (id) => {
      await begin("startContainer");
      change(id, { state: "running" });
    },
    renameContainer: async (id, name) => {
      await begin("renameContainer");
      if ([...containers.values()].some((one) => one.name === name))
        throw new EngineError("conflict", `${name} is taken`);
      change(id, { name });
    },
    removeContainer: async (id) => {
      await begin("removeContainer");
      containers.delete(id);
      loseAll(id);
      return "done";
    },
    openSupervisorStream: async (id) => {
      await begin("openSupervisorStream");
      if (get(id).state !== "running") throw new EngineError("conflict", "not running");
      const stream = new Duplex({ read: () => undefined });
      streams.set(stream, id);
      return stream;
    },
    listNetworks: async () => {
      await begin("listNetworks");
      return [...networks.values()];
    },
    createNetwork: async (body) => {
      await begin("createNetwork");
      const { Subnet, IPRange } = body.IPAM.Config[0];
      if (takenSubnets.has(Subnet))
        throw new EngineError("overlap", "Pool overlaps with other one on this address space");
      const id = `network-${++lastId}`;
      networks.set(id, {
        id,
        name: body.Name,
        driver: body.Driver,
        isInternal: body.Internal,
        hasIpv6: body.EnableIPv6,
        subnets: [{ subnet: Subnet, range: IPRange }],
        options: body.Options,
        labels: body.Labels,
      });
      return id;
    },
    removeNetwork: async (id) => {
      await begin("removeNetwork");
      networks.delete(id);
    },
    connectService: () => begin("connectService"),
    disconnectService: () => begin("disconnectService"),
  };
  return engine;
}

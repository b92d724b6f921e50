import type { Settings } from "../platform/config";
import { describeError, DomainError } from "../platform/errors";
import { sandboxNetworkName, serviceContainerName, type Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { networkNumberLabel } from "./container-spec";
import {
  isEngineError,
  servicePurposes,
  type ContainerFacts,
  type NetworkFacts,
  type SandboxEngine,
} from "./engine";
import {
  endpointBody,
  networkBody,
  overlaps,
  parseSandboxSubnet,
  parseSubnet,
  sandboxSubnets,
  type Subnet,
} from "./network-spec";

/** The internal networks, numbered from 1. Each belongs to at most one container at a time. */
export interface SandboxNetworks {
  /** Takes the lowest free number. Errors: `sandbox.start_failed` when all are taken. */
  acquire(): number;
  /** Marks the number of a container that was found on the engine. */
  hold(networkNumber: number): void;
  release(networkNumber: number): void;
  /** When it answers, the network stands as it should, with git and egress on it as far as these exist. */
  prepare(networkNumber: number): Promise<void>;
  /** Brings every network of the pool into its proper form that no container holds, and services back onto all. */
  reconcile(): Promise<void>;
  /** What is not as it should be, for the operator; empty when all is well. */
  faults(): readonly string[];
}

export function createSandboxNetworks(deps: {
  engine: SandboxEngine;
  settings: Settings;
  instance: Instance;
  logger: Logger;
  listHostSubnets: () => Promise<Subnet[]>;
}): SandboxNetworks {
  const { engine, settings, instance, logger, listHostSubnets } = deps;
  const poolSize = settings.SANDBOX_MAX + settings.SANDBOX_WARM;
  /** By how many containers each number is held: one that is going and one that only seemed to be there may overlap. */
  const holders = new Map<number, number>();
  const hold = (networkNumber: number): void =>
    void holders.set(networkNumber, (holders.get(networkNumber) ?? 0) + 1);
  /** One change at a time: two searches for a free subnet would find the same one. */
  let changes: Promise<unknown> = Promise.resolve();
  let found: readonly string[] = [];

  const nameOf = (networkNumber: number): string =>
    sandboxNetworkName(instance, settings.SANDBOX_NETWORK, networkNumber);

  function inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const turn = changes.then(change);
    changes = turn.catch(() => undefined);
    return turn;
  }

  async function create(networkNumber: number, taken: readonly Subnet[]): Promise<NetworkFacts> {
    const avoided = [...taken, ...(await listHostSubnets())];
    for (const subnet of sandboxSubnets()) {
      if (avoided.some((other) => overlaps(subnet, other))) continue;
      const body = networkBody({ settings, instance, networkNumber, subnet });
      try {
        const id = await engine.createNetwork(body);
        logger.info({ network: body.Name, subnet: body.IPAM.Config[0].Subnet }, "made a network");
        return toFacts(id, body);
      } catch (error) {
        if (!isEngineError(error, "overlap")) throw error;
      }
    }
    throw new DomainError("sandbox.start_failed", "No /28 of 10.231.0.0/16 is free for a sandbox network.");
  }

  async function removeWithServices(
    network: NetworkFacts,
    services: readonly ContainerFacts[],
  ): Promise<void> {
    for (const service of services) {
      if (service.networks.some((one) => one.networkId === network.id))
        await engine.disconnectService(network.id, service.id);
    }
    await engine.removeNetwork(network.id);
  }

  async function attach(network: NetworkFacts, services: readonly ContainerFacts[]): Promise<void> {
    const subnet = parseSandboxSubnet(network.subnets[0]?.subnet ?? "");
    if (subnet === null) return;
    for (const service of services) {
      const purpose = servicePurposes.find((one) => service.name === serviceContainerName(instance, one));
      if (purpose === undefined) continue;
      const wanted = endpointBody(purpose, subnet);
      const present = service.networks.find(
        (one) => one.networkId === network.id || one.networkName === network.name,
      );
      const isProper =
        present?.networkId === network.id &&
        present.fixedAddress === wanted.IPAMConfig.IPv4Address &&
        present.aliases.includes(purpose);
      if (isProper) continue;
      if (present !== undefined) await engine.disconnectService(present.networkId, service.id);
      await engine.connectService(network.id, service.id, wanted);
    }
  }

  async function listServices(): Promise<ContainerFacts[]> {
    const list = await Promise.all(
      servicePurposes.map((purpose) => engine.findContainer(serviceContainerName(instance, purpose))),
    );
    return list.filter((one) => one !== null);
  }

  async function settle(
    networkNumbers: readonly number[],
    mayReplace: (networkNumber: number) => boolean,
  ): Promise<string[]> {
    const [networks, services] = await Promise.all([engine.listNetworks(), listServices()]);
    const faults = describeMissing(instance, services);
    for (const networkNumber of networkNumbers) {
      const name = nameOf(networkNumber);
      const ofThisName = networks.filter((one) => one.name === name);
      let network = ofThisName[0] ?? null;
      const isDrifted =
        network !== null &&
        (ofThisName.length > 1 || !isAsMade(network, networkNumber, { settings, instance }));
      if (isDrifted && !mayReplace(networkNumber)) {
        faults.push(`${name} was changed from outside; it is replaced when its container is gone`);
        continue;
      }
      if (isDrifted) {
        logger.warn({ network: name }, "replaced a network that was changed from outside");
        for (const one of ofThisName) await removeWithServices(one, services);
        network = null;
      }
      const taken = networks
        .flatMap((one) => one.subnets.map((range) => parseSubnet(range.subnet)))
        .filter((one) => one !== null);
      if (network === null) {
        network = await create(networkNumber, taken);
        networks.push(network);
      }
      await attach(network, services);
    }
    return faults;
  }

  return {
    acquire: () => {
      for (let networkNumber = 1; networkNumber <= poolSize; networkNumber++) {
        if (holders.has(networkNumber)) continue;
        hold(networkNumber);
        return networkNumber;
      }
      throw new DomainError(
        "sandbox.start_failed",
        "Every sandbox network is held by a container that is not gone yet.",
      );
    },
    hold,
    release: (networkNumber) => {
      const left = (holders.get(networkNumber) ?? 0) - 1;
      if (left > 0) holders.set(networkNumber, left);
      else holders.delete(networkNumber);
    },
    prepare: async (networkNumber) => void (await inTurn(() => settle([networkNumber], () => true))),
    reconcile: async () => {
      const pool = Array.from({ length: poolSize }, (_, index) => index + 1);
      try {
        found = await inTurn(() =>
          settle([...new Set([...pool, ...holders.keys()])], (one) => !holders.has(one)),
        );
      } catch (error) {
        found = [`the networks could not be checked: ${describeError(error)}`];
        throw error;
      }
    },
    faults: () => found,
  };
}

function describeMissing(instance: Instance, services: readonly ContainerFacts[]): string[] {
  return servicePurposes.flatMap((purpose) => {
    const name = serviceContainerName(instance, purpose);
    const service = services.find((one) => one.name === name);
    if (service === undefined) return [`the container ${name} is missing: run npm run stack:up`];
    return service.state === "running"
      ? []
      : [`the container ${name} is ${service.state}: run npm run stack:up`];
  });
}

function isAsMade(
  network: NetworkFacts,
  networkNumber: number,
  of: { settings: Settings; instance: Instance },
): boolean {
  const range = network.subnets[0];
  const subnet = parseSandboxSubnet(range?.subnet ?? "");
  if (subnet === null || network.subnets.length !== 1) return false;
  const wanted = toFacts(network.id, networkBody({ ...of, networkNumber, subnet }));
  return (
    network.driver === wanted.driver &&
    network.isInternal &&
    !network.hasIpv6 &&
    range?.range === wanted.subnets[0]?.range &&
    isSameRecord(network.options, wanted.options) &&
    network.labels[networkNumberLabel] === wanted.labels[networkNumberLabel]
  );
}

function isSameRecord(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(other);
  return Object.keys(one).length === keys.length && keys.every((key) => one[key] === other[key]);
}

function toFacts(id: string, body: ReturnType<typeof networkBody>): NetworkFacts {
  return {
    id,
    name: body.Name,
    driver: body.Driver,
    isInternal: body.Internal,
    hasIpv6: body.EnableIPv6,
    subnets: body.IPAM.Config.map((one) => ({ subnet: one.Subnet, range: one.IPRange })),
    options: body.Options,
    labels: body.Labels,
  };
}

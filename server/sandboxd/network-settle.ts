import type { Settings } from "../platform/config";
import { DomainError } from "../platform/errors";
import { purposeLabel, sandboxNetworkName, serviceContainerName, type Instance } from "../platform/instance";
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

export interface NetworkDeps {
  engine: SandboxEngine;
  settings: Settings;
  instance: Instance;
  logger: Logger;
  listHostSubnets: () => Promise<Subnet[]>;
}

/**
 * Brings these networks into their proper form, with git and egress on them as far as these exist. One that was changed
 * from outside is replaced when `mayReplace` allows it. Gives what is not as it should be, in words for the operator.
 */
export async function settleNetworks(
  deps: NetworkDeps,
  networkNumbers: readonly number[],
  mayReplace: (networkNumber: number) => boolean,
): Promise<string[]> {
  const { engine, settings, instance, logger } = deps;
  const [networks, services] = await Promise.all([engine.listNetworks(), listServices(deps)]);
  const faults = describeMissing(instance, services);
  for (const networkNumber of networkNumbers) {
    const name = sandboxNetworkName(instance, settings.SANDBOX_NETWORK, networkNumber);
    const ofThisName = networks.filter((one) => one.name === name);
    const [first] = ofThisName;
    if (first !== undefined && ofThisName.length === 1 && isAsMade(first, networkNumber, deps)) {
      await attachServices(engine, first, services, instance);
      continue;
    }
    if (first !== undefined && !mayReplace(networkNumber)) {
      faults.push(`${name} was changed from outside; it is replaced when its container is gone`);
      continue;
    }
    for (const drifted of ofThisName) {
      logger.warn({ network: name }, "replaces a network that was changed from outside");
      await removeWithServices(engine, drifted, services);
    }
    const made = await createNetwork(deps, networkNumber, networks);
    networks.push(made);
    await attachServices(engine, made, services, instance);
  }
  return faults;
}

/** Removes networks of this instance whose number is not wanted any more, as after SANDBOX_MAX was lowered. */
export async function removeSurplusNetworks(
  deps: NetworkDeps,
  isWanted: (networkNumber: number) => boolean,
): Promise<void> {
  const { engine, logger } = deps;
  const networks = (await engine.listNetworks()).filter(
    (one) => one.labels[purposeLabel] === "sandbox-network",
  );
  const surplus = networks.filter((one) => !isWanted(Number(one.labels[networkNumberLabel])));
  if (surplus.length === 0) return;
  const services = await listServices(deps);
  for (const network of surplus) {
    logger.info({ network: network.name }, "removes a network that is not needed any more");
    await removeWithServices(engine, network, services);
  }
}

async function createNetwork(
  { engine, settings, instance, logger, listHostSubnets }: NetworkDeps,
  networkNumber: number,
  others: readonly NetworkFacts[],
): Promise<NetworkFacts> {
  const own = others.flatMap((one) => one.subnets.map((range) => parseSubnet(range.subnet)));
  const avoided = [...own.filter((subnet) => subnet !== null), ...(await listHostSubnets())];
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
  engine: SandboxEngine,
  network: NetworkFacts,
  services: readonly ContainerFacts[],
): Promise<void> {
  for (const service of services) {
    const isOnIt = service.networks.some((one) => one.networkId === network.id);
    if (isOnIt) await engine.disconnectService(network.id, service.id);
  }
  await engine.removeNetwork(network.id);
}

async function attachServices(
  engine: SandboxEngine,
  network: NetworkFacts,
  services: readonly ContainerFacts[],
  instance: Instance,
): Promise<void> {
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

async function listServices({ engine, instance }: NetworkDeps): Promise<ContainerFacts[]> {
  const list = await Promise.all(
    servicePurposes.map((purpose) => engine.findContainer(serviceContainerName(instance, purpose))),
  );
  return list.filter((one) => one !== null);
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

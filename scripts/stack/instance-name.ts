import type Docker from "dockerode";
import {
  instanceLabel,
  serviceContainerName,
  serviceNetworkName,
  type Instance,
} from "../../server/platform/instance";

/** What the engine has under a name that an instance wants. */
export interface NamedObject {
  name: string;
  /** The instance that it belongs to; null when it is not of Rhumbatron's making. */
  instanceId: string | null;
}

/**
 * Decides under which names an instance lives. One that has its suffix keeps it. One without a suffix takes it as soon
 * as anything else on the engine holds one of the names without.
 */
export function chooseSuffix(instance: Instance, held: readonly NamedObject[]): Instance {
  if (instance.suffix !== "") return instance;
  const isTaken = held.some(({ instanceId }) => instanceId !== instance.id);
  return isTaken ? { ...instance, suffix: instance.id.slice(0, 8) } : instance;
}

/** What holds the names without a suffix on this engine now. */
export async function listDefaultNameHolders(docker: Docker): Promise<NamedObject[]> {
  const unsuffixed: Instance = { id: "", suffix: "" };
  const names = [serviceContainerName(unsuffixed, "git"), serviceContainerName(unsuffixed, "egress")];
  const networkName = serviceNetworkName(unsuffixed);
  const [containers, networks] = await Promise.all([
    docker.listContainers({ all: true, filters: { name: names } }),
    docker.listNetworks({ filters: { name: [networkName] } }),
  ]);
  // The engine's filter matches parts of names.
  return [
    ...containers
      .filter((container) => container.Names.some((name) => names.includes(name.replace(/^\//, ""))))
      .map((container) => ({
        name: container.Names[0] ?? "",
        instanceId: container.Labels[instanceLabel] ?? null,
      })),
    ...networks
      .filter((network) => network.Name === networkName)
      .map((network) => ({ name: network.Name, instanceId: network.Labels?.[instanceLabel] ?? null })),
  ];
}

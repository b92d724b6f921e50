import type Docker from "dockerode";
import {
  instanceLabel,
  labelsOf,
  serviceContainerName,
  serviceNetworkName,
  type Instance,
} from "../../server/platform/instance";
import { fingerprintOf } from "./content-hash";
import { statusCodeOf } from "./image-build";
import { OperatorError } from "./operator-error";

const fingerprintLabel = "rhumbatron.fingerprint";
const memoryBytesMax = 512 * 1024 * 1024;
const processesMax = 256;
const openFilesMax = 16_384;

export type ServiceName = "git" | "egress";

/** One of the two containers that serve the sandboxes. */
export interface ServiceSpec {
  name: ServiceName;
  imageId: string;
  /** `uid:gid`, or null for the image's own user. */
  user: string | null;
  /** Handed to the image's command. */
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Published on 127.0.0.1 only: port on the host by port inside. */
  ports: Readonly<Record<number, number>>;
  /** Folders of the host by folders inside. */
  binds: Readonly<Record<string, string>>;
}

/** Makes the ordinary network on which git and egress reach the outside, unless it is there. */
export async function ensureServiceNetwork(docker: Docker, instance: Instance): Promise<string> {
  const name = serviceNetworkName(instance);
  const found = (await docker.listNetworks({ filters: { name: [name] } })).filter(
    (network) => network.Name === name,
  );
  const own = found.find((network) => network.Labels?.[instanceLabel] === instance.id);
  if (own !== undefined) return name;
  if (found.length > 0) throw takenName(name);
  try {
    await docker.createNetwork({
      Name: name,
      Driver: "bridge",
      CheckDuplicate: true,
      Labels: labelsOf(instance, "service-network"),
    });
  } catch (error) {
    if (statusCodeOf(error) === 409) throw takenName(name);
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The Docker engine could not make the network ${name}: ${reason}.`, {
      cause: error,
    });
  }
  return name;
}

/** Starts the container when it does not run, and makes it anew when its image or its settings are others. */
export async function ensureService(
  docker: Docker,
  instance: Instance,
  spec: ServiceSpec,
): Promise<"kept" | "started" | "recreated"> {
  const name = serviceContainerName(instance, spec.name);
  const wanted = fingerprintOf([spec, serviceNetworkName(instance)]);
  const found = await findContainer(docker, name);
  if (found !== null && found.Config.Labels[instanceLabel] !== instance.id) throw takenName(name);
  if (found !== null && found.Config.Labels[fingerprintLabel] === wanted) {
    if (found.State.Running && !found.State.Restarting) return "kept";
    if (await tryStart(docker, found.Id)) return "started";
  }
  if (found !== null) await removeContainer(docker, found.Id);
  const container = await createService({ docker, instance, spec, name, fingerprint: wanted });
  try {
    await container.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The Docker engine could not start the container ${name}: ${reason}.`, {
      cause: error,
    });
  }
  return found === null ? "started" : "recreated";
}

/** Removes every container and network of the instance from the engine, sandboxes too. Images and data stay. */
export async function removeInstance(
  docker: Docker,
  instance: Instance,
): Promise<{ containers: number; networks: number }> {
  const filters = { label: [`${instanceLabel}=${instance.id}`] };
  const containers = await docker.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => removeContainer(docker, Id)));
  const networks = await docker.listNetworks({ filters });
  for (const network of networks) {
    await docker
      .getNetwork(network.Id)
      .remove()
      .catch((error: unknown) => {
        if (statusCodeOf(error) !== 404) throw error;
      });
  }
  return { containers: containers.length, networks: networks.length };
}

/** The running container of a service, or null; for status and logs. */
export async function findContainer(
  docker: Docker,
  name: string,
): Promise<Docker.ContainerInspectInfo | null> {
  try {
    return await docker.getContainer(name).inspect();
  } catch (error) {
    if (statusCodeOf(error) === 404) return null;
    throw error;
  }
}

async function createService(options: {
  docker: Docker;
  instance: Instance;
  spec: ServiceSpec;
  name: string;
  fingerprint: string;
}): Promise<Docker.Container> {
  const { docker, instance, spec, name, fingerprint } = options;
  const ports = Object.entries(spec.ports);
  try {
    return await docker.createContainer({
      name,
      Image: spec.imageId,
      ...(spec.user === null ? {} : { User: spec.user }),
      Cmd: [...spec.arguments],
      Env: Object.entries(spec.env).map(([key, value]) => `${key}=${value}`),
      Labels: { ...labelsOf(instance, spec.name), [fingerprintLabel]: fingerprint },
      ExposedPorts: Object.fromEntries(ports.map(([inside]) => [`${inside}/tcp`, {}])),
      HostConfig: {
        NetworkMode: serviceNetworkName(instance),
        PortBindings: Object.fromEntries(
          ports.map(([inside, outside]) => [
            `${inside}/tcp`,
            [{ HostIp: "127.0.0.1", HostPort: String(outside) }],
          ]),
        ),
        Mounts: Object.entries(spec.binds).map(([inside, outside]) => ({
          Type: "bind" as const,
          Target: inside,
          Source: outside,
        })),
        ReadonlyRootfs: true,
        Tmpfs: { "/tmp": "size=16m" },
        // No packet passes from one sandbox network to another network.
        Sysctls: { "net.ipv4.ip_forward": "0" },
        CapDrop: ["ALL"],
        SecurityOpt: ["no-new-privileges"],
        Init: true,
        Memory: memoryBytesMax,
        MemorySwap: memoryBytesMax,
        PidsLimit: processesMax,
        Ulimits: [{ Name: "nofile", Soft: openFilesMax, Hard: openFilesMax }],
        RestartPolicy: { Name: "unless-stopped" },
        LogConfig: { Type: "json-file", Config: { "max-size": "10m", "max-file": "2" } },
      },
    });
  } catch (error) {
    if (statusCodeOf(error) === 409) throw takenName(name);
    throw error;
  }
}

/** False when it can no longer be started as it is: its network is gone, a port was taken. */
async function tryStart(docker: Docker, id: string): Promise<boolean> {
  try {
    await docker.getContainer(id).start();
    return true;
  } catch (error) {
    if (statusCodeOf(error) === 304) return true;
    if (statusCodeOf(error) !== null) return false;
    throw error;
  }
}

async function removeContainer(docker: Docker, id: string): Promise<void> {
  try {
    await docker.getContainer(id).remove({ force: true, v: true });
  } catch (error) {
    // 409: somebody removes it already.
    if (![404, 409].includes(statusCodeOf(error) ?? 0)) throw error;
  }
}

function takenName(name: string): OperatorError {
  return new OperatorError(
    `Another instance has just taken the name ${name} on this engine: run this again.`,
  );
}

import type { Duplex } from "node:stream";
import type { ContainerBody } from "./container-spec";
import type { EndpointBody, NetworkBody, SandboxService } from "./network-spec";

/** What the engine says of itself. */
export interface EngineFacts {
  version: string;
  apiVersion: string;
  runtimes: string[];
  storageDriver: string;
  backingFilesystem: string;
}

/** One container of this instance, as the engine lists them. */
export interface ContainerSummary {
  id: string;
  name: string;
  state: ContainerState;
  labels: Readonly<Record<string, string>>;
}

export type ContainerState = "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";

export interface ContainerFacts extends ContainerSummary {
  imageId: string;
  startedAt: string;
  exitCode: number;
  wasOutOfMemory: boolean;
  networks: ContainerEndpoint[];
}

/** A container's place on one network. `fixedAddress` is what was asked for, `address` what it has while it runs. */
interface ContainerEndpoint {
  networkName: string;
  networkId: string;
  address: string;
  fixedAddress: string | null;
  aliases: string[];
}

export interface NetworkFacts {
  id: string;
  name: string;
  driver: string;
  isInternal: boolean;
  hasIpv6: boolean;
  subnets: { subnet: string; range: string | null }[];
  options: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
}

/**
 * The container engine, as far as sandboxd needs it, of one instance: objects of others do not appear. No call is
 * repeated behind the caller's back, and every call ends within its deadline.
 * Errors: `EngineError`.
 */
export interface SandboxEngine {
  describe(): Promise<EngineFacts>;
  /** The image's `sha256:…`. */
  findImage(name: string): Promise<string | null>;
  listContainers(): Promise<ContainerSummary[]>;
  findContainer(idOrName: string): Promise<ContainerFacts | null>;
  createContainer(name: string, body: ContainerBody): Promise<string>;
  /** Starting what runs already is done. */
  startContainer(id: string): Promise<void>;
  renameContainer(id: string, name: string): Promise<void>;
  /** Kills and removes with its disk. `in_progress` when a removal is under way already; absent is done. */
  removeContainer(id: string): Promise<"done" | "in_progress">;
  /** A clean byte stream to the supervisor's socket inside; it ends when that socket is not there. */
  openSupervisorStream(containerId: string): Promise<Duplex>;
  listNetworks(): Promise<NetworkFacts[]>;
  createNetwork(body: NetworkBody): Promise<string>;
  removeNetwork(id: string): Promise<void>;
  connectService(networkId: string, containerId: string, endpoint: EndpointBody): Promise<void>;
  disconnectService(networkId: string, containerId: string): Promise<void>;
}

/** The label values under which git's and egress's containers are found. */
export const servicePurposes: readonly SandboxService[] = ["git", "egress"];

/**
 * Why the engine did not do it. `unavailable`: no answer, so whether it was done is unknown; `absent` 404; `conflict`
 * 409, a name is taken or the state forbids it; `overlap`: the subnet is in use; `refused`: anything else it said no to.
 */
export class EngineError extends Error {
  override readonly name = "EngineError";
  constructor(
    readonly kind: "unavailable" | "absent" | "conflict" | "overlap" | "refused",
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

export function isEngineError(error: unknown, kind: EngineError["kind"]): boolean {
  return error instanceof EngineError && error.kind === kind;
}

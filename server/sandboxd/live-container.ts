import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import type { Ids } from "../platform/ids";
import type { Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import type { ContainerLink } from "./container-link";
import type { SandboxEngine } from "./engine";
import type { SandboxNetworks } from "./networks";
import type { ConnectSupervisor } from "./supervisor-reach";

/** A container that runs, with the way to its supervisor. */
export interface LiveContainer {
  id: string;
  imageId: string;
  networkNumber: number;
  network: string | null;
  address: string | null;
  startedAt: string;
  link: ContainerLink;
}

/** What it takes to start one. */
export interface ContainerDeps {
  engine: SandboxEngine;
  networks: SandboxNetworks;
  connect: ConnectSupervisor;
  settings: Settings;
  instance: Instance;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import type { Ids } from "../platform/ids";
import type { Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import type { ConnectSupervisor } from "./supervisor-reach";
import { createContainers } from "./containers";
import type { SandboxEngine } from "./engine";
import { describeSandboxdHealth, type SandboxdHealth } from "./health";
import { createSandboxJobs } from "./jobs";
import { createLifecycle } from "./lifecycle";
import type { Subnet } from "./network-spec";
import { createSandboxNetworks } from "./networks";
import { createSandboxService } from "./service";
import type { SandboxId, Sandboxes } from "./types";
import { createWarmPool } from "./warm-pool";

/** sandboxd without its door: the port, its health, and the sweep that keeps both true. */
export interface Sandboxd {
  sandboxes: Sandboxes;
  /** Errors: `sandbox.not_found` when it is not live. */
  getRuntimeId: (sandboxId: SandboxId) => Promise<string>;
  describeHealth: () => Promise<SandboxdHealth>;
  start: () => void;
  /** Ends every wait. Containers are left alive for the next sandboxd. */
  stop: () => void;
}

export function createSandboxd(deps: {
  engine: SandboxEngine;
  connect: ConnectSupervisor;
  listHostSubnets: () => Promise<Subnet[]>;
  settings: Settings;
  instance: Instance;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}): Sandboxd {
  const networks = createSandboxNetworks(deps);
  const containers = createContainers({ ...deps, networks });
  const warm = createWarmPool({ containers, size: deps.settings.SANDBOX_WARM, logger: deps.logger });
  const lifecycle = createLifecycle({ ...deps, containers, warm });
  const jobs = createSandboxJobs({ ...deps, containers, networks, warm, lifecycle });
  return {
    sandboxes: createSandboxService({ ...deps, lifecycle, warm, whenKnown: jobs.whenKnown }),
    getRuntimeId: async (sandboxId) => {
      await jobs.whenKnown();
      return (await lifecycle.getLive(sandboxId)).container.id;
    },
    describeHealth: () => describeSandboxdHealth({ ...deps, networks, warm }),
    start: jobs.start,
    stop: () => {
      jobs.stop();
      containers.stop();
    },
  };
}

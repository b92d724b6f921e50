import type { Refusals } from "../egress/refusals";
import type { Events } from "../events/service";
import type { GitService } from "../git/types";
import type { Idempotency } from "../idempotency/service";
import type { Meter } from "../meter/service";
import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { ProjectStore } from "../projects/store";
import type { Sandboxes } from "../sandboxd/types";
import type { CommandStore } from "./commands/store";
import type { ProposalSink, Revisions } from "./completion/proposals";
import type { FileStore } from "./files/store";
import type { RunStore } from "./runs/store";

/** The settings that rule how long a Run lives and what it holds. */
export interface WorkspaceSettings {
  slotsMax: number;
  reserveSeconds: number;
  tailSeconds: number;
  sleepAfterMs: number;
  expireMs: number;
  lifetimeMsMax: number;
}

/** Everything that the lifecycle of Runs stands on. */
export interface WorkspaceDeps {
  sandboxes: Sandboxes;
  git: GitService;
  meter: Meter;
  events: Events;
  idempotency: Idempotency;
  /** Tells egress whose address a new Sandbox has; before that nothing gets out of it. */
  publishSandboxes: () => Promise<void>;
  /** What egress refused to a Run, which its commands hardly ever show by themselves. */
  refusals: Pick<Refusals, "ofRun">;
  projects: Pick<ProjectStore, "findProject" | "findTask">;
  proposals: ProposalSink;
  revisions: Revisions;
  stores: WorkspaceStores;
  storesIn: (tx: Transaction) => WorkspaceStores;
  transaction: RunInTransaction;
  settings: WorkspaceSettings;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export interface WorkspaceStores {
  runs: RunStore;
  commands: CommandStore;
  files: FileStore;
}

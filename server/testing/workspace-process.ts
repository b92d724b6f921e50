import { randomUUID } from "node:crypto";
import type { Caller } from "../access/types";
import { createHistoryWriter } from "../changesets/history/store";
import { createProposals } from "../changesets/proposals";
import { createChangeSetStore, createChangeSetWriter } from "../changesets/store";
import { createEvents } from "../events/service";
import { createEventStore } from "../events/store";
import type { GitService } from "../git/types";
import { createIdempotency } from "../idempotency/service";
import { createCallStore } from "../idempotency/store";
import { createMeter, type Meter } from "../meter/service";
import { createMeterStore, createUsageStore } from "../meter/store";
import { createSystemClock, type Clock } from "../platform/clock";
import { createTransactions, type Db, type Transaction } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger, type Logger } from "../platform/logger";
import { createProjectStore } from "../projects/store";
import type { Sandboxes } from "../sandboxd/types";
import { createSettingsService } from "../settings/service";
import { createSettingStore } from "../settings/store";
import { createCommandStore } from "../workspaces/commands/store";
import type { WorkspaceDeps, WorkspaceSettings, WorkspaceStores } from "../workspaces/deps";
import { createFileStore } from "../workspaces/files/store";
import { createRunStore } from "../workspaces/runs/store";
import { createWorkspaces, type Workspaces } from "../workspaces/service";
import { actorOf } from "./actor-of";
import { createLife, mortal, type Life } from "./mortal";

/** Workspaces as one web process has them, with a pool of its own. */
export interface WorkspaceProcess {
  workspaces: Workspaces;
  meter: Meter;
  /** Ends the process at once: nothing of it has an effect any more. */
  kill(): void;
}

export interface WorkspaceProcessOptions {
  db: Db;
  sandboxes: Sandboxes;
  git: GitService;
  clock: ShiftedClock;
  settings?: Partial<WorkspaceSettings>;
  capSeconds?: number;
  life?: Life;
  logger?: Logger;
  publishSandboxes?: () => Promise<void>;
  refusals?: WorkspaceDeps["refusals"];
}

export const testWorkspaceSettings: WorkspaceSettings = {
  slotsMax: 4,
  reserveSeconds: 300,
  tailSeconds: 120,
  sleepAfterMs: 120_000,
  expireMs: 3_600_000,
  lifetimeMsMax: 28_800_000,
};

/** The machine's clock, whose wall time a test moves; waiting takes as long as ever. */
export interface ShiftedClock extends Clock {
  shift(ms: number): void;
}

export function createShiftedClock(): ShiftedClock {
  const system = createSystemClock();
  let offsetMs = 0;
  return {
    ...system,
    now: () => new Date(system.now().getTime() + offsetMs),
    shift: (ms) => {
      offsetMs += ms;
    },
  };
}

/** An agent of that Project. */
export function createAgent(projectId: string): Caller {
  return { actor: actorOf(randomUUID()), role: "agent", projectId, changeId: null };
}

export function createWorkspaceProcess(options: WorkspaceProcessOptions): WorkspaceProcess {
  const { db, clock: shared, life = createLife(), logger = createSilentLogger() } = options;
  const timers = new Set<() => void>();
  const clock: Clock = {
    ...shared,
    every: (ms, tick) => {
      const stop = shared.every(ms, () => (life.isOver() ? undefined : tick()));
      timers.add(stop);
      return () => {
        timers.delete(stop);
        stop();
      };
    },
  };
  const ids = createSystemIds();
  const run = createTransactions(db);
  const live = (name: string): void => {
    const refusal = life.refuses(name);
    if (refusal !== null) throw refusal;
  };
  const transaction: typeof run = async (work) => {
    live("transaction");
    return run(async (tx) => {
      const result = await work(tx);
      // Killed before the commit, it has written nothing.
      if (life.isOver()) live("commit");
      return result;
    });
  };
  const events = createEvents({ store: createEventStore(db), clock, ids });
  const meter = createMeter({
    usage: createUsageStore(db),
    store: createMeterStore,
    transaction,
    settings: createSettingsService({ store: createSettingStore(db), ids, environment: [] }),
    events,
    clock,
    environmentCapSeconds: options.capSeconds ?? 1_000_000,
  });
  const proposals = createProposals({
    store: createChangeSetStore(db),
    writerIn: createChangeSetWriter,
    history: createHistoryWriter({ ids }),
    events,
    ids,
  });
  const stores = storesOn(db);
  const deps: WorkspaceDeps = {
    sandboxes: mortal(options.sandboxes, life, "sandboxes"),
    git: mortal(options.git, life, "git"),
    meter,
    events,
    idempotency: createIdempotency({ store: createCallStore(db), clock, ids, logger }),
    publishSandboxes: options.publishSandboxes ?? (() => Promise.resolve()),
    refusals: options.refusals ?? { ofRun: () => Promise.resolve(null) },
    projects: createProjectStore(db),
    proposals,
    revisions: proposals,
    stores: {
      runs: mortal(stores.runs, life, "runs"),
      commands: mortal(stores.commands, life, "commands"),
      files: stores.files,
    },
    storesIn: storesOn,
    transaction,
    settings: { ...testWorkspaceSettings, ...options.settings },
    clock,
    ids,
    logger,
  };
  return {
    workspaces: createWorkspaces(deps),
    meter,
    kill: () => {
      life.end();
      for (const stop of timers) stop();
    },
  };
}

function storesOn(db: Db | Transaction): WorkspaceStores {
  return { runs: createRunStore(db), commands: createCommandStore(db), files: createFileStore(db) };
}

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { JWK } from "jose";
import { z } from "zod";
import packageJson from "../../package.json";
import { ensureAdminToken } from "../access/admin-token";
import { createAccess } from "../access/service";
import { createTokenStore } from "../access/store";
import type { ApiDeps } from "../api/context";
import {
  createDatabaseProbe,
  createHealth,
  createProcessProbe,
  createSandboxdProbe,
} from "../api/health/probes";
import type { Health } from "../api/health/health";
import { handleApiRequest } from "../api/http-handler";
import { handleMcpRequest } from "../api/mcp";
import { createCaller } from "../api/root";
import { createProposals } from "../changesets/proposals";
import { createChangeSets } from "../changesets/service";
import { createChangeSetStore, createChangeSetWriter } from "../changesets/store";
import { createEgressControl } from "../egress/control-http";
import { createEgressPublisher, type EgressPublisher } from "../egress/publisher";
import { createPolicyVersions } from "../egress/store";
import { createEvents } from "../events/service";
import { createEventStore } from "../events/store";
import { createGitClient } from "../git/client";
import { answerPeopleGit, type PeopleDoorDeps } from "../git/people-door";
import { createIdempotency } from "../idempotency/service";
import { createCallStore } from "../idempotency/store";
import { createIntents } from "../intents/service";
import { createIntentStore } from "../intents/store";
import { createMeter } from "../meter/service";
import { capOf } from "../meter/rules";
import { createMeterStore, createUsageStore } from "../meter/store";
import { createSystemClock } from "../platform/clock";
import { parseEnvironment, parseSettings, type Settings } from "../platform/config";
import { createDb, createTransactions, type Db, type Transaction } from "../platform/db";
import { describeError } from "../platform/errors";
import { createSystemIds } from "../platform/ids";
import { createLogger } from "../platform/logger";
import { migrateDatabase } from "../platform/migrate";
import { createServiceTokenSigner } from "../platform/service-token";
import { createProjects } from "../projects/service";
import { createProjectStore } from "../projects/store";
import { createSandboxdClient } from "../sandboxd/client";
import { createSettingsService } from "../settings/service";
import { settingsOfEnvironment } from "../settings/rules";
import { createSettingStore } from "../settings/store";
import { createCommandStore } from "../workspaces/commands/store";
import type { WorkspaceSettings, WorkspaceStores } from "../workspaces/deps";
import { createFileStore } from "../workspaces/files/store";
import { createRunStore } from "../workspaces/runs/store";
import { createWorkspaces } from "../workspaces/service";

/** Where the other processes are; `stack:up` and the compose file set these. */
const webEnvironment = z.object({
  DATABASE_URL: z.string(),
  SANDBOXD_SOCKET: z.string(),
  GIT_URL: z.url(),
  GIT_CONTROL_URL: z.url(),
  EGRESS_CONTROL_URL: z.url(),
  SERVICE_PRIVATE_KEY_FILE: z.string(),
});
type WebEnvironment = z.output<typeof webEnvironment>;

/** How long web waits before it tries an unreachable database again. */
const databaseRetryMs = 2_000;
/** Half-done steps are looked at this often; each must be repaired within 30 s. */
const sweepEveryMs = 5_000;

/**
 * Everything that web is, put together once. Next loads this code more than once in a process; what answers a request is
 * always the one that was built first, so that its classes are the same everywhere.
 */
export interface Web {
  /** The one HTTP door of the API. */
  handleApi(request: Request): Promise<Response>;
  /** Where people's git clones and pushes canonical repositories. */
  handleGit(request: Request): Promise<Response>;
  /** The same tools over MCP. */
  handleMcp(request: Request): Promise<Response>;
  /** Calls the API from a page that the server renders. Nobody is signed in yet, so it reaches what is public. */
  callApi(): ReturnType<typeof createCaller>;
  /** Brings the database up to date and starts the jobs; keeps trying while the database is away. */
  start(): Promise<void>;
}

/** Builds web from its environment. Nothing is reached before the first call or `start`. */
export async function wireWeb(env: Readonly<Record<string, string | undefined>>): Promise<Web> {
  const settings = parseSettings(env);
  const environment = parseEnvironment(webEnvironment, env);
  const clock = createSystemClock();
  const ids = createSystemIds();
  const logger = createLogger("web");
  const db = createDb(environment.DATABASE_URL);
  const transaction = createTransactions(db);
  const signer = await createServiceTokenSigner(await readJwk(environment.SERVICE_PRIVATE_KEY_FILE), clock);
  const basics = { clock, ids, logger, transaction };

  const access = createAccess({ store: createTokenStore(db), clock, ids });
  const sandboxes = createSandboxdClient({ socketPath: environment.SANDBOXD_SOCKET, clock });
  const git = createGitClient({ baseUrl: environment.GIT_CONTROL_URL, signer, clock, ids });
  const publisher = wirePublisher({ settings, environment, db, sandboxes, signer, clock, logger });
  const events = createEvents({ store: createEventStore(db), clock, ids });
  const settingsService = createSettingsService({
    store: createSettingStore(db),
    ids,
    environment: settingsOfEnvironment(settings, env, {
      SANDBOX_MONTHLY_SECONDS: String(capOf(null, null).capSeconds),
    }),
  });
  const idempotency = createIdempotency({ store: createCallStore(db), clock, ids, logger });
  const meter = createMeter({
    usage: createUsageStore(db),
    store: createMeterStore,
    settings: settingsService,
    events,
    clock,
    transaction,
    environmentCapSeconds: settings.SANDBOX_MONTHLY_SECONDS ?? null,
  });
  const projectStore = createProjectStore(db);
  const slotsMax = settings.MAX_ACTIVE_SANDBOXES_PER_CHANGE;
  const projects = createProjects({
    ...basics,
    store: projectStore,
    storeIn: createProjectStore,
    events,
    git,
    slotsMax,
  });
  const changeSetStore = createChangeSetStore(db);
  const proposals = createProposals({ store: changeSetStore, writerIn: createChangeSetWriter, events, ids });
  const workspaces = createWorkspaces({
    ...basics,
    sandboxes,
    git,
    meter,
    events,
    idempotency,
    publishSandboxes: () => publisher.publish(),
    projects: projectStore,
    proposals,
    revisions: proposals,
    stores: workspaceStores(db),
    storesIn: workspaceStores,
    settings: workspaceSettings(settings),
  });

  const deps: ApiDeps = {
    access,
    health: wireHealth(environment, db),
    projects,
    workspaces,
    changeSets: createChangeSets({ store: changeSetStore, git }),
    intents: createIntents({ ...basics, store: createIntentStore(db), storeIn: createIntentStore, events }),
    meter,
    events,
    adminSettings: settingsService,
    sandboxes,
    listLiveRuns: (projectId) => createRunStore(db).listLive({ projectId }),
    settings: {
      publicUrl: (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ""),
      slotsMax,
      sandboxLimits: {
        cpus: settings.SANDBOX_CPUS,
        memoryBytes: settings.SANDBOX_MEMORY_MB * 1024 * 1024,
        processes: settings.SANDBOX_PIDS,
        diskBytes: settings.SANDBOX_DISK_MB * 1024 * 1024,
      },
    },
    clock,
    ids,
    logger,
  };
  const peopleGit: PeopleDoorDeps = {
    doorUrl: environment.GIT_URL,
    signer,
    findCaller: (token) => access.findCaller(token),
  };
  return {
    handleApi: (request) => handleApiRequest(request, deps),
    handleGit: (request) => answerPeopleGit(request, peopleGit),
    handleMcp: (request) => handleMcpRequest(request, deps),
    callApi: () => createCaller({ deps, caller: null }),
    start: async () => {
      for (;;) {
        try {
          const applied = await migrateDatabase(environment.DATABASE_URL, resolve("prisma/migrations"));
          if (applied.length > 0) logger.info({ migrations: applied }, "the database was brought up to date");
          await ensureAdminToken(access, join(settings.DATA_DIR, "admin-token"));
          break;
        } catch (error) {
          logger.error({ reason: describeError(error) }, "the database could not be prepared; trying again");
          await clock.sleep(databaseRetryMs);
        }
      }
      publisher.start();
      for (const part of [projects, workspaces, idempotency]) {
        clock.every(sweepEveryMs, async () => {
          try {
            await part.sweep();
          } catch (error) {
            logger.warn({ reason: describeError(error) }, "a sweep could not be finished; trying again");
          }
        });
      }
    },
  };
}

function wirePublisher(parts: {
  settings: Settings;
  environment: WebEnvironment;
  db: Db;
  sandboxes: Parameters<typeof createEgressPublisher>[0]["sandboxes"];
  signer: Parameters<typeof createEgressControl>[0]["signer"];
  clock: Parameters<typeof createEgressPublisher>[0]["clock"];
  logger: Parameters<typeof createEgressPublisher>[0]["logger"];
}): EgressPublisher {
  const { settings, environment, db, signer, ...rest } = parts;
  return createEgressPublisher({
    ...rest,
    control: createEgressControl({ baseUrl: environment.EGRESS_CONTROL_URL, signer }),
    versions: createPolicyVersions(db),
    allowlist: settings.EGRESS_ALLOWLIST,
    hostAddresses: settings.HOST_ADDRESSES,
  });
}

function wireHealth(environment: WebEnvironment, db: Db): Health {
  const sandboxd = { socketPath: environment.SANDBOXD_SOCKET };
  return createHealth({
    version: packageJson.version,
    clock: createSystemClock(),
    probes: {
      database: createDatabaseProbe(() => db.$queryRaw`SELECT 1`),
      engine: createSandboxdProbe("engine", sandboxd),
      image: createSandboxdProbe("image", sandboxd),
      git: createProcessProbe("git", addressOf(environment.GIT_CONTROL_URL)),
      egress: createProcessProbe("egress", addressOf(environment.EGRESS_CONTROL_URL)),
    },
  });
}

function workspaceStores(db: Db | Transaction): WorkspaceStores {
  return { runs: createRunStore(db), commands: createCommandStore(db), files: createFileStore(db) };
}

function workspaceSettings(settings: Settings): WorkspaceSettings {
  return {
    slotsMax: settings.MAX_ACTIVE_SANDBOXES_PER_CHANGE,
    reserveSeconds: settings.WORKSPACE_RESERVE_SECONDS,
    tailSeconds: settings.WORKSPACE_IDLE_TAIL_SECONDS,
    sleepAfterMs: settings.WORKSPACE_SLEEP_AFTER_SECONDS * 1000,
    expireMs: settings.RUN_EXPIRE_SECONDS * 1000,
    lifetimeMsMax: settings.RUN_MAX_SECONDS * 1000,
  };
}

async function readJwk(path: string): Promise<JWK> {
  return JSON.parse(await readFile(path, "utf8")) as JWK;
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === "" ? 80 : port) };
}

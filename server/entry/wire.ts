import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { JWK } from "jose";
import packageJson from "../../package.json";
import { ensureAdminToken } from "../access/admin-token";
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
import { answerRaw } from "../api/raw";
import { resolveCaller } from "../api/resolve-caller";
import { createCaller } from "../api/root";
import { createHistoryWriter } from "../changesets/history/store";
import { createProposals } from "../changesets/proposals";
import { createChangeSets } from "../changesets/service";
import { createChangeSetStore, createChangeSetWriter } from "../changesets/store";
import type { EgressPublisher } from "../egress/publisher";
import { createEvents, type Events } from "../events/service";
import { createEventStore } from "../events/store";
import { createGitClient } from "../git/client";
import { answerPeopleGit, type PeopleDoorDeps } from "../git/people-door";
import { createIdempotency } from "../idempotency/service";
import { createCallStore } from "../idempotency/store";
import { createInbox } from "../inbox/service";
import { createInboxStore } from "../inbox/store";
import { createIntents } from "../intents/service";
import { createIntentStore } from "../intents/store";
import { createMeter, type Meter } from "../meter/service";
import { createMeterStore, createUsageStore } from "../meter/store";
import { createSystemClock } from "../platform/clock";
import { parseEnvironment, parseSettings, type Settings } from "../platform/config";
import { createDb, createTransactions, type Db, type Transaction } from "../platform/db";
import { leaveFirstAdminLink } from "../people/first-admin-link";
import { deriveCookieSecret } from "../people/sign-in-better-auth";
import { createPeopleStore } from "../people/store";
import { describeError } from "../platform/errors";
import { createSystemIds } from "../platform/ids";
import { createLogger } from "../platform/logger";
import { migrateDatabase } from "../platform/migrate";
import { createServiceTokenSigner } from "../platform/service-token";
import { createProjects } from "../projects/service";
import { createProjectStore } from "../projects/store";
import { createSandboxdClient } from "../sandboxd/client";
import type { SettingsService } from "../settings/service";
import { createCommandStore } from "../workspaces/commands/store";
import type { WorkspaceSettings, WorkspaceStores } from "../workspaces/deps";
import { createFileStore } from "../workspaces/files/store";
import { createRunStore } from "../workspaces/runs/store";
import { createSandboxLifeStore } from "../workspaces/sandboxes/store";
import { createSandboxWatch, type SandboxWatch } from "../workspaces/sandboxes/watch";
import { createWorkspaces } from "../workspaces/service";
import { wireDemo } from "./wire-demo";
import { wireReviewing } from "./wire-reviewing";
import { wireAccess, wirePeople, firstAdminLinkOf } from "./wire-access";
import { type Egress, wireEgress, publishOrExplain } from "./wire-egress";
import { type Parts, type WebEnvironment, webEnvironment, publicUrlOf, wireSettings } from "./wire-parts";

/** How long web waits before it tries an unreachable database again. */
const databaseRetryMs = 2_000;
/** Half-done steps are looked at this often; each must be repaired within 30 s. */
const sweepEveryMs = 5_000;

/** A link for the first admin lives for a day; a fresh one is made well before that. */
const firstAdminLinkEveryMs = 12 * 60 * 60_000;

/**
 * Everything that web is, put together once. Next loads this code more than once in a process; what answers a request is
 * always the one that was built first, so that its classes are the same everywhere.
 */
export interface Web {
  /** The one HTTP door of the API. */
  handleApi(request: Request): Promise<Response>;
  /** Where people's git clones and pushes canonical repositories. */
  handleGit(request: Request): Promise<Response>;
  /** Downloads of single files of ChangeSets. */
  handleRaw(request: Request): Promise<Response>;
  /** The same tools over MCP. */
  handleMcp(request: Request): Promise<Response>;
  /** Calls the API from a page that the server renders, as whoever sent these headers. */
  callApi(headers: Headers): Promise<ReturnType<typeof createCaller>>;
  /** Brings the database up to date and starts the jobs; keeps trying while the database is away. */
  start(): Promise<void>;
}

/** Builds web from its environment. Nothing is reached before the first call or `start`. */
export async function wireWeb(env: Readonly<Record<string, string | undefined>>): Promise<Web> {
  const settings = parseSettings(env);
  const environment = parseEnvironment(webEnvironment, env);
  const clock = createSystemClock();
  const privateKey = await readFile(environment.SERVICE_PRIVATE_KEY_FILE, "utf8");
  const parts: Parts = {
    env,
    settings,
    environment,
    clock,
    ids: createSystemIds(),
    logger: createLogger("web"),
    db: createDb(environment.DATABASE_URL),
    signer: await createServiceTokenSigner(JSON.parse(privateKey) as JWK, clock),
    cookieSecret: deriveCookieSecret(privateKey),
    sandboxes: createSandboxdClient({ socketPath: environment.SANDBOXD_SOCKET, clock }),
  };
  const { publisher, ...egress } = wireEgress(parts, wireSettings(parts));
  const { deps, sweepers } = wireDomains(parts, publisher, egress);
  const peopleGit: PeopleDoorDeps = {
    doorUrl: environment.GIT_URL,
    signer: parts.signer,
    findCaller: (token) => deps.access.findCaller(token),
  };
  return {
    handleApi: (request) => handleApiRequest(request, deps),
    handleGit: (request) => answerPeopleGit(request, peopleGit),
    handleRaw: (request) => answerRaw(request, deps),
    handleMcp: (request) => handleMcpRequest(request, deps),
    callApi: async (headers) =>
      createCaller({ deps, ...(await resolveCaller(headers, deps)), browser: null }),
    start: async () => {
      await prepareDatabase(parts, deps);
      publisher.start();
      for (const sweep of sweepers) startSweeping(parts, sweep, sweepEveryMs);
      const renewLink = (): Promise<void> =>
        leaveFirstAdminLink({ people: deps.people, ...firstAdminLinkOf(settings) });
      startSweeping(parts, renewLink, firstAdminLinkEveryMs);
    },
  };
}

/** The domains, from the left of their order to the right, and their sweeps. */
function wireDomains(
  parts: Parts,
  publisher: EgressPublisher,
  egress: Omit<Egress, "publisher">,
): { deps: ApiDeps; sweepers: (() => Promise<void>)[] } {
  const { settings, environment, clock, ids, logger, db, signer, sandboxes } = parts;
  const basics = { clock, ids, logger, transaction: createTransactions(db) };
  const git = createGitClient({ baseUrl: environment.GIT_CONTROL_URL, signer, clock, ids });
  const events = createEvents({ store: createEventStore(db), clock, ids });
  const adminSettings = wireSettings(parts);
  const idempotency = createIdempotency({ store: createCallStore(db), clock, ids, logger });
  const meter = wireMeter(parts, adminSettings, events);
  const stores = { projects: createProjectStore(db), changeSets: createChangeSetStore(db) };
  const projects = createProjects({
    ...basics,
    store: stores.projects,
    storeIn: createProjectStore,
    events,
    git,
    slotsMax: settings.MAX_ACTIVE_SANDBOXES_PER_CHANGE,
  });
  const history = createHistoryWriter({ ids });
  const changeSetStores = { store: stores.changeSets, writerIn: createChangeSetWriter };
  const proposals = createProposals({ ...changeSetStores, history, events, ids });
  const workspaces = createWorkspaces({
    ...basics,
    sandboxes,
    git,
    meter,
    events,
    idempotency,
    publishSandboxes: () => publishOrExplain(publisher),
    refusals: egress.refusals,
    projects: stores.projects,
    proposals,
    revisions: proposals,
    stores: workspaceStores(db),
    storesIn: workspaceStores,
    settings: workspaceSettings(settings),
  });
  const reviewing = wireReviewing({
    ...basics,
    db,
    git,
    emailOf: async ({ id }) => (await createPeopleStore(db).findPerson(id))?.email ?? null,
    history,
    audit: adminSettings,
    events,
    idempotency,
  });
  const access = wireAccess(parts, adminSettings);
  const deps: ApiDeps = {
    access,
    people: wirePeople(parts, adminSettings),
    health: wireHealth(environment, db),
    projects,
    workspaces,
    changeSets: createChangeSets({ store: stores.changeSets, git }),
    reviewing,
    intents: createIntents({ ...basics, store: createIntentStore(db), storeIn: createIntentStore, events }),
    inbox: createInbox({ store: createInboxStore(db), meter, clock }),
    demo: wireDemo(() => deps, { access, projects, git, clock, logger }),
    meter,
    events,
    adminSettings,
    ...egress,
    sandboxes,
    listLiveRuns: (projectId) => createRunStore(db).listLive({ projectId }),
    settings: apiSettings(settings),
    clock,
    ids,
    logger,
  };
  return {
    deps,
    sweepers: [projects, workspaces, wireSandboxWatch(parts, events), idempotency, reviewing.merges].map(
      (part) => () => part.sweep(),
    ),
  };
}

function wireMeter({ db, clock, settings }: Parts, adminSettings: SettingsService, events: Events): Meter {
  return createMeter({
    transaction: createTransactions(db),
    usage: createUsageStore(db),
    store: createMeterStore,
    settings: adminSettings,
    events,
    environmentCapSeconds: settings.SANDBOX_MONTHLY_SECONDS ?? null,
    clock,
  });
}

function wireSandboxWatch({ db, clock, sandboxes }: Parts, events: Events): SandboxWatch {
  const transaction = createTransactions(db);
  const stores = { store: createSandboxLifeStore(db), storeIn: createSandboxLifeStore };
  return createSandboxWatch({ sandboxes, ...stores, transaction, events, clock });
}

async function prepareDatabase(
  { environment, settings, clock, logger }: Parts,
  { access, people }: Pick<ApiDeps, "access" | "people">,
): Promise<void> {
  for (;;) {
    try {
      const applied = await migrateDatabase(environment.DATABASE_URL, resolve("prisma/migrations"));
      if (applied.length > 0) logger.info({ migrations: applied }, "the database was brought up to date");
      await ensureAdminToken(access, join(settings.DATA_DIR, "admin-token"));
      await leaveFirstAdminLink({ people, ...firstAdminLinkOf(settings) });
      return;
    } catch (error) {
      logger.error({ reason: describeError(error) }, "the database could not be prepared; trying again");
      await clock.sleep(databaseRetryMs);
    }
  }
}

function startSweeping({ clock, logger }: Parts, sweep: () => Promise<void>, everyMs: number): void {
  clock.every(everyMs, async () => {
    try {
      await sweep();
    } catch (error) {
      logger.warn({ reason: describeError(error) }, "a sweep could not be finished; trying again");
    }
  });
}

function apiSettings(settings: Settings): ApiDeps["settings"] {
  return {
    publicUrl: publicUrlOf(settings),
    slotsMax: settings.MAX_ACTIVE_SANDBOXES_PER_CHANGE,
    sandboxLimits: {
      cpus: settings.SANDBOX_CPUS,
      memoryBytes: settings.SANDBOX_MEMORY_MB * 1024 * 1024,
      processes: settings.SANDBOX_PIDS,
      diskBytes: settings.SANDBOX_DISK_MB * 1024 * 1024,
    },
  };
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

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === "" ? 80 : port) };
}

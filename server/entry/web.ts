import "server-only";
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
import { handleApiRequest } from "../api/http-handler";
import { createCaller } from "../api/root";
import { createEgressControl } from "../egress/control-http";
import { createEgressPublisher } from "../egress/publisher";
import { createPolicyVersions } from "../egress/store";
import { answerPeopleGit, type PeopleDoorDeps } from "../git/people-door";
import { createSystemClock } from "../platform/clock";
import { parseEnvironment, parseSettings } from "../platform/config";
import { createDb } from "../platform/db";
import { describeError } from "../platform/errors";
import { createSystemIds } from "../platform/ids";
import { createLogger } from "../platform/logger";
import { migrateDatabase } from "../platform/migrate";
import { createServiceTokenSigner } from "../platform/service-token";
import { createSandboxdClient } from "../sandboxd/client";

/** Where the other processes are; `stack:up` and the compose file set these. */
const webEnvironment = z.object({
  DATABASE_URL: z.string(),
  SANDBOXD_SOCKET: z.string(),
  /** The git service's port for repositories, and the one for web alone. */
  GIT_URL: z.url(),
  GIT_CONTROL_URL: z.url(),
  EGRESS_CONTROL_URL: z.url(),
  SERVICE_PRIVATE_KEY_FILE: z.string(),
});

/** How long web waits before it tries an unreachable database again. */
const databaseRetryMs = 2_000;

interface Web {
  deps: ApiDeps;
  peopleGit: PeopleDoorDeps;
  /** Brings the database up to date and starts the jobs; keeps trying while the database is away. */
  start(): Promise<void>;
}

/** Next loads this module more than once in a process; what it builds is built once. */
const shared = globalThis as typeof globalThis & { rhumbatronWeb?: Promise<Web> };

function getWeb(): Promise<Web> {
  return (shared.rhumbatronWeb ??= createWeb());
}

/** The one HTTP door of the API. */
export async function handleApi(request: Request): Promise<Response> {
  return handleApiRequest(request, (await getWeb()).deps);
}

/** Serves canonical repositories to people's git, below `/git`. */
export async function handleGit(request: Request): Promise<Response> {
  return answerPeopleGit(request, (await getWeb()).peopleGit);
}

/** Calls the API from a page that the server renders. Nobody is signed in yet, so it reaches what is public. */
export async function callApi(): Promise<ReturnType<typeof createCaller>> {
  return createCaller({ deps: (await getWeb()).deps, caller: null });
}

/** Called once when the server starts. */
export async function startWeb(): Promise<void> {
  await (await getWeb()).start();
}

async function createWeb(): Promise<Web> {
  const settings = parseSettings(process.env);
  const environment = parseEnvironment(webEnvironment, process.env);
  const clock = createSystemClock();
  const ids = createSystemIds();
  const logger = createLogger("web");
  const db = createDb(environment.DATABASE_URL);
  const access = createAccess({ store: createTokenStore(db), clock, ids });
  const signer = await createServiceTokenSigner(await readJwk(environment.SERVICE_PRIVATE_KEY_FILE), clock);
  const sandboxes = createSandboxdClient({ socketPath: environment.SANDBOXD_SOCKET, clock });

  const publisher = createEgressPublisher({
    sandboxes,
    control: createEgressControl({ baseUrl: environment.EGRESS_CONTROL_URL, signer }),
    versions: createPolicyVersions(db),
    allowlist: settings.EGRESS_ALLOWLIST,
    hostAddresses: settings.HOST_ADDRESSES,
    clock,
    logger,
  });

  const sandboxd = { socketPath: environment.SANDBOXD_SOCKET };
  const health = createHealth({
    version: packageJson.version,
    clock,
    probes: {
      database: createDatabaseProbe(() => db.$queryRaw`SELECT 1`),
      engine: createSandboxdProbe("engine", sandboxd),
      image: createSandboxdProbe("image", sandboxd),
      git: createProcessProbe("git", addressOf(environment.GIT_CONTROL_URL)),
      egress: createProcessProbe("egress", addressOf(environment.EGRESS_CONTROL_URL)),
    },
  });

  const prepareDatabase = async (): Promise<void> => {
    const applied = await migrateDatabase(environment.DATABASE_URL, resolve("prisma/migrations"));
    if (applied.length > 0) logger.info({ migrations: applied }, "the database was brought up to date");
    await ensureAdminToken(access, join(settings.DATA_DIR, "admin-token"));
  };

  return {
    deps: { access, health, ids, logger },
    peopleGit: {
      doorUrl: environment.GIT_URL,
      signer,
      findCaller: (token) => access.findCaller(token),
    },
    start: async () => {
      for (;;) {
        try {
          await prepareDatabase();
          break;
        } catch (error) {
          logger.error({ reason: describeError(error) }, "the database could not be prepared; trying again");
          await clock.sleep(databaseRetryMs);
        }
      }
      publisher.start();
    },
  };
}

async function readJwk(path: string): Promise<JWK> {
  return JSON.parse(await readFile(path, "utf8")) as JWK;
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === "" ? 80 : port) };
}

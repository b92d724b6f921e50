import type { Server } from "node:http";
import type { ResolveName } from "../egress/resolver";
import type { Clock } from "../platform/clock";
import type { ControlRoute } from "../platform/control-server";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { ServiceTokenVerifier } from "../platform/service-token";
import { createControlRoutes } from "./control-routes";
import { listBranches } from "./branches";
import { createDiffs } from "./diffs";
import { createForks } from "./forks";
import { createGit } from "./git-command";
import { createGrants } from "./grants";
import { createImports, type ImportLimits } from "./imports";
import { createMerges } from "./merges";
import { createPlaces } from "./places";
import { createRepositories } from "./repositories";
import { createRepositoryDoor } from "./repository-door";
import { seedRepository } from "./seed-repository";
import { createSides } from "./sides";
import type { DoorLimits } from "./smart-http";
import { createKeyedTurns, createTurns } from "./turns";
import { createUnderWay } from "./under-way";
import { createUpkeep, type UpkeepLimits } from "./upkeep";

/** The git service without its ports. */
export interface GitServer {
  /** For agents and, through web, people. */
  door: Server;
  /** For web alone. */
  routes: Record<string, ControlRoute>;
  /** Cleans up after a process that was killed. Called once, before anything listens. */
  recover(): Promise<void>;
  /** Ends imports and upkeep under way. */
  close(): Promise<void>;
}

export interface GitServerDeps {
  repositoriesDirectory: string;
  verifier: ServiceTokenVerifier;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  resolve: ResolveName;
  importAllowedHosts: readonly string[];
  /** Addresses of this machine, which no import may reach. */
  hostAddresses: readonly string[];
  doorLimits: DoorLimits;
  importLimits: ImportLimits;
  upkeepLimits: UpkeepLimits;
}

/** Puts the parts of the git service together. */
export function createGitServer(deps: GitServerDeps): GitServer {
  const { clock, ids, logger, verifier } = deps;
  const git = createGit({ clock });
  const places = createPlaces(deps.repositoriesDirectory);
  const repositories = createRepositories({ git, places, ids });
  const grants = createGrants({ places, clock, ids });
  const underWay = createUnderWay();
  const forks = createForks({ git, places, repositories, grants, underWay, ids });
  const diffs = createDiffs({ git, places, repositories, ids });
  const sides = createSides({ git, places, diffs });
  const merges = createMerges({ git, places, repositories });
  const imports = createImports({
    git,
    places,
    clock,
    ids,
    logger,
    resolve: deps.resolve,
    allowedHosts: deps.importAllowedHosts,
    hostAddresses: deps.hostAddresses,
    limits: deps.importLimits,
  });
  const upkeep = createUpkeep({ git, places, logger, limits: deps.upkeepLimits });
  const andUpkeep = async <Result>(projectId: string, write: Promise<Result>): Promise<Result> => {
    const result = await write;
    upkeep.afterWrite(projectId);
    return result;
  };
  return {
    door: createRepositoryDoor({
      git,
      places,
      repositories,
      grants,
      underWay,
      turns: createTurns(deps.doorLimits.servedAtOnceMax),
      tokenTurns: createKeyedTurns(),
      clock,
      logger,
      limits: deps.doorLimits,
      verifier,
    }),
    routes: createControlRoutes({
      verifier,
      handlers: {
        createRepository: (input) => repositories.create(input),
        importRepository: (input) => imports.start(input),
        importStatus: ({ projectId }) => imports.status(projectId),
        getHead: ({ projectId }) => repositories.getHead(projectId),
        getBranch: async ({ projectId, branch }) => {
          const commit = await repositories.findBranch(projectId, branch);
          return commit === null ? null : { commit };
        },
        getCommit: ({ projectId, forkName, commit }) =>
          repositories.getCommit({ projectId, commit, ...(forkName === undefined ? {} : { forkName }) }),
        createFork: (input) => forks.create(input),
        getForkHead: (fork) => forks.getHead(fork),
        removeFork: (fork) => forks.remove(fork),
        keepCommit: (input) => andUpkeep(input.projectId, forks.keepCommit(input)),
        registerGrant: (grant) => forks.registerGrant(grant),
        revokeGrants: (fork) => forks.revokeGrants(fork),
        diffFiles: (input) => diffs.files(input),
        diffPatch: (input) => diffs.patch(input),
        diffPatches: (input) => diffs.patches(input),
        diffStats: (input) => diffs.stats(input),
        readSide: (input) => sides.read(input),
        openSide: (input) => sides.open(input),
        listCommits: ({ projectId, branch, limit }) => repositories.listCommits(projectId, branch, limit),
        listBranches: ({ projectId }) => listBranches({ git, places, repositories }, projectId),
        seedRepository: (input) => seedRepository({ git, places, repositories, ids }, input),
        testMerge: (input) => merges.test(input),
        merge: (input) => andUpkeep(input.projectId, merges.merge(input)),
      },
    }),
    recover: () => repositories.recover(),
    close: async () => {
      await Promise.all([imports.close(), upkeep.close()]);
    },
  };
}

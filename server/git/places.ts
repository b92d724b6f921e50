import { join } from "node:path";
import type { RepositoryName } from "./repository-paths";

/**
 * Where the repositories of a Project lie. The canonical one holds only what its branches and tags ever held. Kept commits
 * lie in a second one that borrows its objects, so that a fork, which borrows from the canonical one too, can never reach
 * what another fork proposed. Forks depend on the canonical repository, so nothing is ever pruned from it; upkeep only
 * rolls packs up.
 */
export interface ProjectPlaces {
  directory: string;
  canonical: string;
  kept: string;
  forks: string;
  importRecord: string;
}

export interface Places {
  root: string;
  /** What is on its way in or out; emptied when the service starts. */
  scratch: string;
  project(projectId: string): ProjectPlaces;
  fork(projectId: string, forkName: string): string;
  grants(projectId: string, forkName: string): string;
  repository(name: RepositoryName): string;
}

/** Ids reach this only after they matched their pattern; a path is never made of anything else. */
export function createPlaces(root: string): Places {
  const project = (projectId: string): ProjectPlaces => {
    const directory = join(root, projectId);
    return {
      directory,
      canonical: join(directory, "canonical.git"),
      kept: join(directory, "kept.git"),
      forks: join(directory, "forks"),
      importRecord: join(directory, "import.json"),
    };
  };
  const fork = (projectId: string, forkName: string): string =>
    join(project(projectId).forks, `${forkName}.git`);
  return {
    root,
    scratch: join(root, ".scratch"),
    project,
    fork,
    grants: (projectId, forkName) => join(project(projectId).forks, `${forkName}.grants`),
    repository: ({ projectId, forkName }) =>
      forkName === null ? project(projectId).canonical : fork(projectId, forkName),
  };
}

/** The canonical repository's objects as a fork or the kept repository names them; relative, so a copy elsewhere works too. */
export const canonicalObjectsFromFork = "../../../canonical.git/objects";
export const canonicalObjectsFromKept = "../../canonical.git/objects";

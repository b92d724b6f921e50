import { join } from "node:path";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { isDirectory, putInPlace, takeAway, writeBareRepository } from "./bare-repository";
import type { Git } from "./git-command";
import type { Grants } from "./grants";
import { canonicalObjectsFromFork, type Places } from "./places";
import { ensureKept, readCommit, type Repositories } from "./repositories";
import { forkRef, type CommitRecord, type ForkName } from "./types";
import type { UnderWay } from "./under-way";

/** The forks of Runs. */
export interface Forks {
  create(input: ForkName & { startCommit: string }): Promise<{ commit: string }>;
  getHead(fork: ForkName): Promise<{ commit: string } | null>;
  remove(fork: ForkName): Promise<void>;
  keepCommit(input: ForkName & { commit: string }): Promise<CommitRecord>;
  registerGrant(grant: ForkName & { jti: string; expiresAt: string }): Promise<void>;
  revokeGrants(fork: ForkName): Promise<void>;
}

interface Deps {
  git: Git;
  places: Places;
  repositories: Repositories;
  grants: Grants;
  underWay: UnderWay;
  ids: Ids;
}

/**
 * A fork is an own small repository that borrows the canonical one's objects, so making it costs a few small files whatever
 * the size. Borrowing is safe because nothing is ever pruned from the canonical repository. Its reachable history alone is
 * served (see smart-http).
 */
export function createForks(deps: Deps): Forks {
  const { git, places, repositories, grants, underWay, ids } = deps;
  const getHead = async (fork: ForkName): Promise<{ commit: string } | null> => {
    const directory = places.fork(fork.projectId, fork.forkName);
    if (!(await isDirectory(directory))) return null;
    const commit = await repositories.resolveRef(directory, forkRef);
    return commit === null ? null : { commit };
  };
  const revokeGrants = async (fork: ForkName): Promise<void> => {
    await grants.revokeAll(fork);
    await underWay.endAll(fork);
  };
  return {
    create: async (input) => {
      await repositories.require(input.projectId);
      const existing = await getHead(input);
      if (existing !== null) return existing;
      await build(deps, input);
      return (await getHead(input)) ?? missingFork();
    },
    getHead,
    remove: async (fork) => {
      const directory = places.fork(fork.projectId, fork.forkName);
      await takeAway(directory, join(places.scratch, ids.uuid()));
      await revokeGrants(fork);
      // A push that was ended just now may have made its directory anew.
      await takeAway(directory, join(places.scratch, ids.uuid()));
    },
    keepCommit: async ({ projectId, forkName, commit }) => {
      await ensureKept(deps, projectId);
      const { kept } = places.project(projectId);
      const keptRef = `refs/kept/${commit}`;
      if ((await repositories.resolveRef(kept, keptRef)) === null) {
        const fork = places.fork(projectId, forkName);
        if (!(await isDirectory(fork))) missingFork();
        await readCommit(git, fork, commit);
        await copyCommit(git, { from: fork, to: kept, commit, ref: keptRef });
      }
      return readCommit(git, kept, commit);
    },
    registerGrant: async (grant) => {
      if (!(await isDirectory(places.fork(grant.projectId, grant.forkName)))) missingFork();
      await grants.register(grant);
    },
    revokeGrants,
  };
}

async function build(deps: Deps, input: ForkName & { startCommit: string }): Promise<void> {
  const { git, places, ids } = deps;
  const { canonical, kept } = places.project(input.projectId);
  const isCanonical = await hasCommit(git, canonical, input.startCommit);
  if (!isCanonical) await readCommit(git, kept, input.startCommit);
  const fresh = join(places.project(input.projectId).forks, `.new-${ids.uuid()}`);
  await writeBareRepository(fresh, {
    head: forkRef,
    alternate: canonicalObjectsFromFork,
    ...(isCanonical ? { refs: { [forkRef]: input.startCommit } } : {}),
  });
  if (!isCanonical) await copyCommit(git, { from: kept, to: fresh, commit: input.startCommit, ref: forkRef });
  await putInPlace(fresh, places.fork(input.projectId, input.forkName));
}

/**
 * Copies a commit and what the other repository lacks of its history, and names it there when a ref is given. Both sides are
 * ours.
 */
export async function copyCommit(
  git: Git,
  input: { from: string; to: string; commit: string; ref: string | null },
): Promise<void> {
  await git.succeed({
    args: [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
      "--end-of-options",
      input.from,
      input.ref === null ? input.commit : `${input.commit}:${input.ref}`,
    ],
    gitDirectory: input.to,
    config: {
      "protocol.file.allow": "always",
      // Its sender serves any commit that it holds.
      "protocol.version": "2",
      // The receiving side knows what it can borrow, so that only what is new travels.
      "core.alternateRefsPrefixes": "refs/heads/ refs/tags/",
    },
  });
}

export async function hasCommit(git: Git, gitDirectory: string, commit: string): Promise<boolean> {
  const { exitCode } = await git.run({ args: ["cat-file", "-e", `${commit}^{commit}`], gitDirectory });
  return exitCode === 0;
}

function missingFork(): never {
  throw new DomainError("repository.not_found", "There is no such fork.");
}

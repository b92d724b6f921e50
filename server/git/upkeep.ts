import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import { isMissing } from "./bare-repository";
import type { Git } from "./git-command";
import type { Places } from "./places";
import { createTurns } from "./turns";

/** Keeps repositories quick to read, whatever number of small writes they have taken. */
export interface Upkeep {
  /** Looks after a Project's repositories in the background, soon. Called after a write; never fails. */
  afterWrite(projectId: string): void;
  /** Stops what is at work; half of a repack changes nothing. */
  close(): Promise<void>;
}

/** From when on a repository is packed anew. Loose objects are counted by one folder of 256. */
export interface UpkeepLimits {
  looseObjectsMax: number;
  packsMax: number;
}

export const upkeepLimits: UpkeepLimits = { looseObjectsMax: 2_048, packsMax: 24 };

interface Deps {
  git: Git;
  places: Places;
  logger: Logger;
  limits: UpkeepLimits;
}

const repackMs = 30 * 60_000;
const looseFolders = 256;

/**
 * Packs are rolled up by size, and loose objects with them, reachable or not: no object is ever dropped, because forks and kept
 * commits borrow the canonical repository's, also those that no branch holds any more. A process that reads meanwhile finds the
 * object in its new pack. One repository at a time, so that upkeep takes one process's memory at most.
 */
export function createUpkeep(deps: Deps): Upkeep {
  const turns = createTurns(1);
  const waiting = new Map<string, Promise<void>>();
  const stop = new AbortController();
  const lookAfter = async (projectId: string): Promise<void> => {
    const giveBack = await turns.take();
    // What is written from here on is seen by the next one.
    waiting.delete(projectId);
    try {
      const { canonical, kept } = deps.places.project(projectId);
      for (const repository of [canonical, kept]) {
        if (stop.signal.aborted || !(await needsRepack(repository, deps.limits))) continue;
        await repack(deps, repository, stop.signal);
        deps.logger.info({ projectId, repository }, "a repository was packed anew");
      }
    } catch (error) {
      if (!stop.signal.aborted)
        deps.logger.error(
          { projectId, reason: describeError(error) },
          "a repository could not be packed anew",
        );
    } finally {
      giveBack();
    }
  };
  const atWork = new Set<Promise<void>>();
  return {
    afterWrite: (projectId) => {
      if (stop.signal.aborted || waiting.has(projectId)) return;
      const work = lookAfter(projectId).finally(() => atWork.delete(work));
      waiting.set(projectId, work);
      atWork.add(work);
    },
    close: async () => {
      stop.abort();
      await Promise.all(atWork);
    },
  };
}

async function needsRepack(repository: string, limits: UpkeepLimits): Promise<boolean> {
  const packs = (await namesIn(join(repository, "objects/pack"))).filter((name) => name.endsWith(".pack"));
  if (packs.length > limits.packsMax) return true;
  const sample = await namesIn(join(repository, "objects/17"));
  return sample.length * looseFolders > limits.looseObjectsMax;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function repack(deps: Deps, repository: string, signal: AbortSignal): Promise<void> {
  await deps.git.succeed(
    {
      args: ["repack", "-d", "-l", "-n", "-q", "--geometric=2"],
      gitDirectory: repository,
      config: { "repack.writeBitmaps": "false" },
    },
    { timeoutMs: repackMs, signal },
  );
}

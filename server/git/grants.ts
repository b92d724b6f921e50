import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../platform/clock";
import type { Ids } from "../platform/ids";
import { isMissing, takeAway } from "./bare-repository";
import type { Places } from "./places";

/** A token of a Run works only as long as its grant, a small file beside the fork, is there. Taking it away ends the token. */
export interface Grants {
  register(grant: { projectId: string; forkName: string; jti: string; expiresAt: string }): Promise<void>;
  isLive(grant: { projectId: string; forkName: string; jti: string }): Promise<boolean>;
  /** Ends one token: what it was for has been done. */
  use(grant: { projectId: string; forkName: string; jti: string }): Promise<void>;
  /** Ends every token of the fork. */
  revokeAll(fork: { projectId: string; forkName: string }): Promise<void>;
}

export function createGrants(deps: { places: Places; clock: Clock; ids: Ids }): Grants {
  const { places, clock, ids } = deps;
  const file = (grant: { projectId: string; forkName: string; jti: string }): string =>
    join(places.grants(grant.projectId, grant.forkName), grant.jti);
  const isExpired = async (path: string): Promise<boolean> =>
    Date.parse(await readFile(path, "utf8")) <= clock.now().getTime();
  return {
    register: async (grant) => {
      const directory = places.grants(grant.projectId, grant.forkName);
      await mkdir(directory, { recursive: true });
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        if (await isExpired(path).catch(() => false)) await rm(path, { force: true });
      }
      await writeFile(file(grant), grant.expiresAt);
    },
    isLive: async (grant) => {
      try {
        return !(await isExpired(file(grant)));
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    use: (grant) => rm(file(grant), { force: true }),
    revokeAll: ({ projectId, forkName }) =>
      takeAway(places.grants(projectId, forkName), join(places.scratch, ids.uuid())),
  };
}

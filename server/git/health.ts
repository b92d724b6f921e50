import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Health } from "../platform/control-server";
import { describeError } from "../platform/errors";
import { isGitRecentEnough, type ReadGitVersion } from "./git-version";

const freeBytesLow = 1024 ** 3;

/**
 * Says whether repositories can be kept: git is there and recent enough, and the directory takes a file. Little free space
 * is `degraded`. Writes and removes one small file.
 */
export async function checkGitHealth(deps: {
  repositoriesDirectory: string;
  readGitVersion: ReadGitVersion;
}): Promise<Health> {
  const version = await deps.readGitVersion().catch(() => null);
  if (version === null)
    return { status: "down", detail: "git cannot be run in this container: rebuild the service image." };
  if (!isGitRecentEnough(version)) {
    return {
      status: "down",
      detail: `${version} is too old, 2.39 is needed: rebuild the service image on a newer base.`,
    };
  }
  const fault = await findWriteFault(deps.repositoriesDirectory);
  if (fault !== null)
    return { status: "down", detail: `The repositories directory cannot be written: ${fault}.` };
  const { bavail, bsize } = await statfs(deps.repositoriesDirectory);
  const freeBytes = bavail * bsize;
  const space = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free for repositories`;
  if (freeBytes < freeBytesLow)
    return { status: "degraded", detail: `${version}; only ${space}: make room on the host.` };
  return { status: "ok", detail: `${version}; ${space}.` };
}

async function findWriteFault(directory: string): Promise<string | null> {
  const probe = join(directory, ".health");
  try {
    await writeFile(probe, "");
    // Of two looks at once the other may have removed it.
    await rm(probe, { force: true });
    return null;
  } catch (error) {
    return describeError(error);
  }
}

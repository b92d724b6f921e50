import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { readLinuxRelease } from "./apt";
import { buildDebianBase, debianBaseArchiveName } from "./base-image-debian";
import { followEngine, findImageId } from "./image-build";
import { OperatorError } from "./operator-error";
import type { Progress, Step } from "./progress";

export const bunVersion = "1.3.14";
export const baseImageTag = `oven/bun:${bunVersion}-debian`;

/** No registry of images is waited for longer than this without a word from it. */
const pullSilenceMs = 20_000;

/**
 * Answers the id of the base that all our images start from. The engine's own copy is taken as it is; else it is
 * pulled; else, where no registry of images answers, the same base is built from Debian's packages and npm's bun.
 */
export async function ensureBaseImage(options: {
  docker: Docker;
  progress: Progress;
  isRoot: boolean;
  /** Where a base that was built here is kept for an engine that has lost it. */
  cacheDir: string;
}): Promise<string> {
  const { docker, progress, isRoot, cacheDir } = options;
  const found = await findImageId(docker, baseImageTag);
  if (found !== null) return found;
  return progress.step(`Getting the base image ${baseImageTag}`, async (step) => {
    const archive = join(cacheDir, debianBaseArchiveName(bunVersion));
    if (!existsSync(archive)) {
      const refusal = await tryPull(docker, step);
      if (refusal === null) return requireImageId(docker);
      requireBuilder(refusal, isRoot);
      step.update("no registry of images answers, so it is built from Debian's packages");
      await buildDebianBase({ archive, bunVersion, step });
    }
    step.update("handing it to the engine");
    await importBase(docker, archive, step);
    step.name(`Base image ${baseImageTag} built from Debian's packages (kept in ${cacheDir})`);
    return requireImageId(docker);
  });
}

/** Null when the image came; else why it did not. A registry that is silent for too long counts as absent. */
async function tryPull(docker: Docker, step: Step): Promise<string | null> {
  const abort = new AbortController();
  let silence = setTimeout(() => abort.abort(), pullSilenceMs);
  const listening: Step = {
    name: (title) => step.name(title),
    update: (detail) => {
      clearTimeout(silence);
      silence = setTimeout(() => abort.abort(), pullSilenceMs);
      step.update(detail);
    },
  };
  try {
    step.update("pulling it");
    const stream = (await docker.pull(baseImageTag, { abortSignal: abort.signal })) as Readable;
    abort.signal.addEventListener("abort", () => stream.destroy(new Error("no answer")));
    await followEngine(stream, listening, "pulling the base image");
    return null;
  } catch (error) {
    return abort.signal.aborted
      ? "no registry of images answers"
      : error instanceof Error
        ? error.message
        : String(error);
  } finally {
    clearTimeout(silence);
  }
}

function requireBuilder(refusal: string, isRoot: boolean): void {
  if (process.platform === "linux" && isRoot && readLinuxRelease()?.isDebianLike === true) return;
  throw new OperatorError(
    `The base image ${baseImageTag} cannot be pulled (${refusal.replace(/\.$/, "")}): give the engine a registry that has it, or load the image with docker load; as root on Debian or Ubuntu this command builds it.`,
  );
}

async function importBase(docker: Docker, archive: string, step: Step): Promise<void> {
  const [repo, tag] = baseImageTag.split(":");
  const stream = (await docker.importImage(archive, {
    repo,
    tag,
    changes: ['CMD ["bash"]', "LABEL rhumbatron.base=debian-packages"],
  })) as unknown as Readable;
  await followEngine(stream, step, "importing the base image");
}

async function requireImageId(docker: Docker): Promise<string> {
  const id = await findImageId(docker, baseImageTag);
  if (id === null)
    throw new OperatorError(
      `The Docker engine took the base image ${baseImageTag} and does not show it: run this again.`,
    );
  return id;
}

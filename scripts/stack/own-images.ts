import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type Docker from "dockerode";
import { sandboxImageContext } from "../../sandbox-image/build-context";
import { hashContents } from "./content-hash";
import { ensureImage, findImageId } from "./image-build";
import { OperatorError } from "./operator-error";
import type { Progress } from "./progress";
import { checkoutRoot } from "./stack-config";

export const sandboxImageTag = "rhumbatron/sandbox:local";
export const serviceImageTag = "rhumbatron/service:local";

interface OwnImageOptions {
  docker: Docker;
  progress: Progress;
  /** The base that both start from, by id, so that a new base makes new images. */
  baseImageId: string;
  /** A file of certificates that are trusted beside the system's. */
  extraCaCerts: string | null;
}

/** Builds the image of the sandboxes from sandbox-image/, unless the engine has it from equal inputs. Answers its id. */
export async function ensureSandboxImage(options: OwnImageOptions): Promise<string> {
  const { extraCaCerts } = options;
  const files: Record<string, string> = { Dockerfile: join(checkoutRoot, "sandbox-image", "Dockerfile") };
  for (const path of sandboxImageContext) files[path] = join(checkoutRoot, path);
  if (extraCaCerts !== null) files["extra-ca.crt"] = extraCaCerts;
  return ensureOwnImage({ ...options, tag: sandboxImageTag, files });
}

/** Builds the image of git and egress from their bundles, unless the engine has it from equal inputs. Answers its id. */
export async function ensureServiceImage(options: OwnImageOptions): Promise<string> {
  const files: Record<string, string> = {
    Dockerfile: join(checkoutRoot, "scripts", "images", "service.Dockerfile"),
    "egress.js": join(checkoutRoot, "dist", "egress.js"),
    "git.js": join(checkoutRoot, "dist", "git.js"),
  };
  if (options.extraCaCerts !== null) files["extra-ca.crt"] = options.extraCaCerts;
  return ensureOwnImage({ ...options, tag: serviceImageTag, files });
}

/** Sends the builder exactly the files named, each under the name that it has in the context. */
async function ensureOwnImage(
  options: OwnImageOptions & { tag: string; files: Readonly<Record<string, string>> },
): Promise<string> {
  const { docker, progress, baseImageId, tag, files } = options;
  return progress.step(`Image ${tag}`, async (step) => {
    const contextDir = mkdtempSync(join(tmpdir(), "rhumbatron-image-"));
    try {
      for (const [name, source] of Object.entries(files)) {
        mkdirSync(dirname(join(contextDir, name)), { recursive: true });
        cpSync(source, join(contextDir, name), { recursive: true, dereference: true });
      }
      const outcome = await ensureImage(
        docker,
        {
          tag,
          contextDir,
          contextPaths: ["."],
          dockerfile: "Dockerfile",
          buildArguments: { BASE: baseImageId },
          inputsHash: hashContents(contextDir, ["."], { extra: [baseImageId] }),
        },
        step,
      );
      step.name(outcome === "kept" ? `Image ${tag} up to date` : `Image ${tag} built`);
    } finally {
      rmSync(contextDir, { recursive: true, force: true });
    }
    const id = await findImageId(docker, tag);
    if (id === null)
      throw new OperatorError(
        `The Docker engine built the image ${tag} and does not show it: run this again.`,
      );
    return id;
  });
}

import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { explainDiskFault, OperatorError } from "./operator-error";
import type { Step } from "./progress";

/** Kept on every image that this tool builds: a hash of all that went into it. */
const inputsLabel = "rhumbatron.inputs";

export interface ImageRecipe {
  tag: string;
  /** The folder that the builder sees, and what of it. */
  contextDir: string;
  contextPaths: readonly string[];
  /** Relative to the context. */
  dockerfile: string;
  buildArguments: Readonly<Record<string, string>>;
  /** A hash of all inputs: the base image, files, arguments. */
  inputsHash: string;
}

/** The id of an image, or null when the engine has none of that name. */
export async function findImageId(docker: Docker, tag: string): Promise<string | null> {
  return (await inspectImage(docker, tag))?.Id ?? null;
}

/**
 * Builds the image unless the engine has it from equal inputs. The classic builder is enough, and nothing is pulled.
 * Errors: an `OperatorError` with the builder's last words; an image of that name from before stays as it was.
 */
export async function ensureImage(
  docker: Docker,
  recipe: ImageRecipe,
  step: Step,
): Promise<"kept" | "built"> {
  const found = await inspectImage(docker, recipe.tag);
  if (found?.Config.Labels?.[inputsLabel] === recipe.inputsHash) return "kept";
  const stream = await docker.buildImage(
    { context: recipe.contextDir, src: [...recipe.contextPaths] },
    {
      t: recipe.tag,
      dockerfile: recipe.dockerfile,
      buildargs: { ...recipe.buildArguments },
      labels: { [inputsLabel]: recipe.inputsHash },
      forcerm: true,
    },
  );
  await followEngine(stream as Readable, step, `building ${recipe.tag}`);
  return "built";
}

/** Reads the engine's progress to its end. Errors: an `OperatorError` with its last words when it says that it failed. */
export async function followEngine(stream: Readable, step: Step, doing: string): Promise<void> {
  let rest = "";
  let lastLine = "";
  let failure: string | null = null;
  for await (const chunk of stream) {
    rest += String(chunk);
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.trim() === "") continue;
      const event = JSON.parse(line) as {
        stream?: string;
        status?: string;
        progress?: string;
        id?: string;
        error?: string;
      };
      if (event.error !== undefined) failure = event.error;
      const text = [event.id, event.stream ?? event.status, event.progress]
        .filter((part) => part !== undefined)
        .join(" ")
        .trim();
      if (text === "") continue;
      step.update(text);
      // What the builder says at the end of a failed command tells less than the command's own last line.
      if (event.stream !== undefined && !event.stream.startsWith(" --->")) lastLine = text;
    }
  }
  if (failure === null) return;
  const said =
    lastLine === "" || failure.includes(lastLine) ? failure : `${failure.trim()} (last: ${lastLine})`;
  throw explainDiskFault(
    new OperatorError(`The Docker engine failed while ${doing}: ${said}.`),
    "the engine's images",
  );
}

async function inspectImage(docker: Docker, tag: string): Promise<Docker.ImageInspectInfo | null> {
  try {
    return await docker.getImage(tag).inspect();
  } catch (error) {
    if (statusCodeOf(error) === 404) return null;
    throw error;
  }
}

/** The HTTP status of an engine's refusal, or null. */
export function statusCodeOf(error: unknown): number | null {
  return error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : null;
}

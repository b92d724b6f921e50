import type { WorkspaceDeps } from "../deps";
import type { AwakeRun } from "../lifecycle/awake";
import { gitEnvironment } from "../lifecycle/checkout";
import { readQuotedPath } from "./quoted-path";

const checkTimeoutMs = 30_000;
/** Bytes of paths handed to one process; the kernel bounds a command line. */
const argumentBytesMax = 100_000;

/** Which entries of a listing git would ignore in the Run's directory; `.git` is always one of them. */
export interface Ignored {
  /** Finds out about the next entries of the listing. */
  learn(items: readonly { path: string }[]): Promise<void>;
  has(path: string): boolean;
}

/**
 * Asks git itself, as the Run's own uid; where git cannot say, for want of a repository that it can read, nothing is
 * hidden but `.git`. What git tracks is not ignored.
 */
export function createIgnored(deps: WorkspaceDeps, awake: AwakeRun): Ignored {
  const ignored = new Set<string>();
  const isHidden = (path: string): boolean => path.split("/").includes(".git") || ignored.has(path);
  return {
    has: isHidden,
    learn: async (items) => {
      const paths = items.map(({ path }) => path).filter((path) => !isHidden(path));
      for (const some of inPortions(paths)) {
        for (const path of await askGit(deps, awake, some)) ignored.add(path);
      }
    },
  };
}

function inPortions(paths: readonly string[]): string[][] {
  const portions: string[][] = [];
  let leftBytes = 0;
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 3;
    if (bytes > leftBytes) {
      portions.push([]);
      leftBytes = argumentBytesMax;
    }
    portions.at(-1)?.push(path);
    leftBytes -= bytes;
  }
  return portions;
}

/** Paths are given with `./` before them, so that none is taken for a pattern by what it begins with. */
async function askGit(deps: WorkspaceDeps, { place }: AwakeRun, paths: readonly string[]): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  await deps.sandboxes.exec(
    {
      sandboxId: place.sandboxId,
      uid: place.uid,
      commandId: deps.ids.uuid(),
      argv: [
        "git",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.quotePath=false",
        "check-ignore",
        "--",
        ...paths.map((path) => `./${path}`),
      ],
      cwd: place.directory,
      env: gitEnvironment,
      timeoutMs: checkTimeoutMs,
    },
    ({ stream, bytes }) => {
      if (stream === "stdout") chunks.push(Uint8Array.from(bytes));
    },
  );
  return Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => readQuotedPath(line).slice("./".length));
}

import type { WorkspaceDeps } from "../deps";
import type { AwakeRun } from "../lifecycle/awake";
import { gitEnvironment } from "../lifecycle/checkout";

const askTimeoutMs = 30_000;
/** Bytes of paths handed to one process; the kernel bounds a command line. */
const argumentBytesMax = 100_000;

/**
 * Asks git in the Run's directory, as the Run's own uid, about some paths and gives what it printed, which is nothing where git
 * cannot say. Paths are given with `./` before them, so that none is taken for a pattern by what it begins with.
 */
export async function askGit(
  deps: WorkspaceDeps,
  { place }: AwakeRun,
  words: readonly string[],
  paths: readonly string[],
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (const some of inPortions(paths.map((path) => `./${path}`))) {
    await deps.sandboxes.exec(
      {
        sandboxId: place.sandboxId,
        uid: place.uid,
        commandId: deps.ids.uuid(),
        argv: ["git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", ...words, "--", ...some],
        cwd: place.directory,
        env: gitEnvironment,
        timeoutMs: askTimeoutMs,
      },
      ({ stream, bytes }) => {
        if (stream === "stdout") chunks.push(Uint8Array.from(bytes));
      },
    );
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Splits words into portions, in order, each of which fits on a command line. */
export function inPortions(words: readonly string[]): string[][] {
  const portions: string[][] = [];
  let leftBytes = 0;
  for (const word of words) {
    const bytes = Buffer.byteLength(word) + 1;
    if (bytes > leftBytes) {
      portions.push([]);
      leftBytes = argumentBytesMax;
    }
    portions.at(-1)?.push(word);
    leftBytes -= bytes;
  }
  return portions;
}

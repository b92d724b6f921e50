import type { WorkspaceDeps } from "../deps";
import type { AwakeRun } from "../lifecycle/awake";
import { gitEnvironment } from "../lifecycle/checkout";

const checkTimeoutMs = 30_000;
/** Paths handed to one process; the kernel bounds a command line. */
const pathsMax = 1_000;

/**
 * Which of these paths git would ignore in the Run's directory, `.git` among them. Asked of git itself, as the Run's own
 * uid; where git cannot say, for want of a repository that it can read, nothing is hidden but `.git`.
 */
export async function findIgnored(
  deps: WorkspaceDeps,
  { place }: AwakeRun,
  items: readonly { path: string }[],
): Promise<ReadonlySet<string>> {
  const hidden = new Set(items.map(({ path }) => path).filter((path) => path.split("/").includes(".git")));
  const paths = items.map(({ path }) => path).filter((path) => !hidden.has(path));
  for (let start = 0; start < paths.length; start += pathsMax) {
    const some = paths.slice(start, start + pathsMax);
    const chunks: Uint8Array[] = [];
    await deps.sandboxes.exec(
      {
        sandboxId: place.sandboxId,
        uid: place.uid,
        commandId: deps.ids.uuid(),
        argv: ["git", "-c", "core.fsmonitor=false", "check-ignore", "-z", "--", ...some],
        cwd: place.directory,
        env: gitEnvironment,
        timeoutMs: checkTimeoutMs,
      },
      ({ stream, bytes }) => {
        if (stream === "stdout") chunks.push(Uint8Array.from(bytes));
      },
    );
    const ignored = Buffer.concat(chunks).toString("utf8").split("\0");
    for (const path of ignored) if (path !== "") hidden.add(path);
  }
  return hidden;
}

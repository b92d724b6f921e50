import { forkBranch } from "../../git/types";
import { forkPath } from "../../git/repository-paths";
import { DomainError } from "../../platform/errors";
import type { CommandEnd } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { forkOf, placeOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";

/** Where a Sandbox finds the git service. */
const gitOrigin = "http://git:8080";

/** Large repositories take minutes under gVisor; the token that a clone uses lives for two. */
const cloneTimeoutMs = 115_000;
const clearTimeoutMs = 60_000;

/** Output of a clone that a log line holds. */
const spokenBytesMax = 2_000;

/**
 * Makes the Run's directory a clone of its fork, whatever a try before left there. Every process of the Run is younger
 * than the clone, so none can see the token, which stands in the clone's environment and nowhere else.
 * Errors: `git.rejected`, `sandbox.*`.
 */
export async function checkOut(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const place = placeOf(run);
  await deps.sandboxes.prepareRun(place);
  await runOrThrow(deps, run, {
    argv: ["find", ".", "-mindepth", "1", "-delete"],
    env: {},
    timeoutMs: clearTimeoutMs,
  });
  const { token } = await deps.git.mintFetchToken({ ...forkOf(run), runId: run.id });
  await runOrThrow(deps, run, {
    argv: [
      "git",
      "clone",
      "--quiet",
      "--no-tags",
      "--single-branch",
      `--branch=${forkBranch}`,
      `${gitOrigin}${forkPath(forkOf(run))}`,
      ".",
    ],
    env: { ...gitEnvironment, ...authorizationEnvironment(token) },
    timeoutMs: cloneTimeoutMs,
  });
}

/** git as we run it: it asks nobody, reads no configuration but ours, and never passes a proxy to the git service. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_LFS_SKIP_SMUDGE: "1",
};

/** Hands git a token for the git service's exact origin, by its environment alone. */
export function authorizationEnvironment(token: string): Record<string, string> {
  const credentials = Buffer.from(`run:${token}`).toString("base64");
  return {
    GIT_CONFIG_COUNT: "3",
    GIT_CONFIG_KEY_0: `http.${gitOrigin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
    GIT_CONFIG_KEY_1: "credential.helper",
    GIT_CONFIG_VALUE_1: "",
    GIT_CONFIG_KEY_2: "http.followRedirects",
    GIT_CONFIG_VALUE_2: "false",
  };
}

async function runOrThrow(
  deps: WorkspaceDeps,
  run: RunRecord,
  command: { argv: string[]; env: Record<string, string>; timeoutMs: number },
): Promise<void> {
  const place = placeOf(run);
  let spoken = "";
  const end = await deps.sandboxes.exec(
    {
      sandboxId: place.sandboxId,
      uid: place.uid,
      commandId: deps.ids.uuid(),
      cwd: place.directory,
      ...command,
    },
    ({ stream, bytes }) => {
      if (stream === "stderr" && spoken.length < spokenBytesMax)
        spoken += Buffer.from(bytes).toString("utf8");
    },
  );
  if (end.status === "exited" && end.exitCode === 0) return;
  deps.logger.warn(
    { runId: run.id, program: command.argv.slice(0, 2), end: describeEnd(end), spoken },
    "a checkout failed",
  );
  throw new DomainError(
    "sandbox.start_failed",
    `The workspace could not be checked out: git ${describeEnd(end)}.`,
  );
}

export function describeEnd(end: CommandEnd): string {
  if (end.status === "timed_out") return `did not end within ${Math.round(end.durationMs / 1000)} s`;
  if (end.status === "interrupted") return `was interrupted (${end.reason ?? "unknown"})`;
  return `ended with ${end.exitCode === null ? `the signal ${end.signal ?? "unknown"}` : `code ${end.exitCode}`}`;
}

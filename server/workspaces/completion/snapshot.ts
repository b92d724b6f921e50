import { DomainError } from "../../platform/errors";
import { forkPath } from "../../git/repository-paths";
import { forkRef } from "../../git/types";
import type { WorkspaceDeps } from "../deps";
import { authorizationEnvironment, describeEnd, gitEnvironment } from "../lifecycle/checkout";
import { inPortions } from "../files/ask-git";
import { forkOf, placeOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";

const stepTimeoutMs = 10 * 60_000;
const spokenBytesMax = 4_000;

/** Who a Run's commit is by. What the agent calls itself stands in the summary, not here. */
const identity = { name: "Rhumbatron", email: "agent@rhumbatron.invalid" };

/**
 * Everything that a repository's own configuration could start is off. Ignore rules of the tree hold, and those of its attributes
 * that git carries out by itself: text, eol, ident and working-tree-encoding. A filter is a program that configuration names, so
 * there is none, and what it would be for, such as a pointer of git-lfs, is committed byte for byte.
 */
const plainGit = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.untrackedCache", "false"],
  ["core.logAllRefUpdates", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["protocol.allow", "never"],
  ["protocol.http.allow", "always"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

/** A commit of a Run's working tree, lying in a repository of its own inside the Sandbox. */
export interface Snapshot {
  commit: string;
  tree: string;
  place: SnapshotPlace;
}

/** Where a snapshot is made. */
interface SnapshotPlace {
  /** The directory that holds our repositories. */
  home: string;
  /** Whether objects are taken from the agent's own repository too. */
  isBorrowing: boolean;
}

const snapshotName = ".rhumbatron-snapshot";
const pushName = ".rhumbatron-push";

/**
 * Makes one commit of the working tree as it is, with the Run's start commit as its only parent. Every process of the Run
 * is ended first, and the repository, its index and its configuration are new and ours: nothing that the agent planted in
 * its own `.git`, its home or its attributes is run or obeyed. The same tree, words and time make the same commit, so a
 * repeat finds what a try before pushed. Errors: `git.rejected` when the tree cannot be read, `sandbox.*`.
 */
export async function takeSnapshot(
  deps: WorkspaceDeps,
  run: RunRecord,
  message: { title: string; summary: string; at: Date; isBorrowing: boolean },
): Promise<Snapshot> {
  const base = requireBase(run);
  await endProcesses(deps, run);
  // Made anew each time, below the Run's home and not below its working tree.
  const { home } = await deps.sandboxes.prepareRun(placeOf(run));
  const place = { home, isBorrowing: message.isBorrowing };
  const repository = `${home}/${snapshotName}`;
  await makeRepository(deps, run, repository);
  const environment = {
    ...gitEnvironment,
    GIT_DIR: repository,
    GIT_WORK_TREE: placeOf(run).directory,
    ...borrowedObjects(borrowedFrom(run, place)),
  };
  const git = (...words: string[]): Promise<string> =>
    runGit(deps, run, ["git", [...plainGit, ...words]], environment);
  if (!(await hasBase(deps, run, environment))) await fetchBase(deps, run, environment);
  await refuseUnreadable(deps, run);
  await git("read-tree", base);
  await git("add", "--all", "--", ".");
  await refuseSubmoduleContent(deps, run, await git("ls-files", "--stage", "-z"));
  const tree = await git("write-tree");
  const time = `${Math.floor(message.at.getTime() / 1000)} +0000`;
  const commit = await runGit(
    deps,
    run,
    ["git", [...plainGit, "commit-tree", tree, "-p", base, "-m", message.title, "-m", message.summary]],
    {
      ...environment,
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_AUTHOR_DATE: time,
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
      GIT_COMMITTER_DATE: time,
    },
  );
  return { commit: requireHash(commit), tree: requireHash(tree), place };
}

/**
 * Moves the fork's one branch from the start commit to the snapshot, by a token for exactly that. Reading the tree may
 * have started a program of the agent's, by a submodule's configuration: every process is ended once more before there is
 * a token, and the push is made from a repository that did not exist until then. Errors: `git.rejected`.
 */
export async function pushSnapshot(
  deps: WorkspaceDeps,
  run: RunRecord,
  { commit, place }: Snapshot,
): Promise<void> {
  const fork = forkOf(run);
  await endProcesses(deps, run);
  const snapshot = `${place.home}/${snapshotName}`;
  const repository = `${place.home}/${pushName}`;
  await makeRepository(deps, run, repository);
  // Where the base was fetched without its history, the commit that its history ends at is written there.
  await runGit(
    deps,
    run,
    ["cp", ["--no-dereference", `${snapshot}/shallow`, `${repository}/shallow`]],
    {},
    [0, 1],
  );
  const { token } = await deps.git.mintPushToken({
    ...fork,
    runId: run.id,
    ref: forkRef,
    oldCommit: requireBase(run),
    newCommit: commit,
  });
  await runGit(
    deps,
    run,
    ["git", [...plainGit, "push", "--quiet", `http://git:8080${forkPath(fork)}`, `${commit}:${forkRef}`]],
    {
      ...gitEnvironment,
      GIT_DIR: repository,
      ...borrowedObjects([`${snapshot}/objects`, ...borrowedFrom(run, place)]),
      ...authorizationEnvironment(token),
    },
  );
}

/** An empty repository in place of whatever is there. */
async function makeRepository(deps: WorkspaceDeps, run: RunRecord, repository: string): Promise<void> {
  await runGit(deps, run, ["rm", ["-rf", "--", repository]]);
  await runGit(deps, run, ["git", ["init", "--quiet", "--bare", "--template=", repository]], gitEnvironment);
}

/** Objects that the clone brought need not be fetched again. What was planted there fails the push, and only that. */
function borrowedFrom(run: RunRecord, { isBorrowing }: SnapshotPlace): string[] {
  return isBorrowing ? [`${placeOf(run).directory}/.git/objects`] : [];
}

function borrowedObjects(directories: readonly string[]): Record<string, string> {
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: directories.join(":") };
}

/** Ends every process of the Run's uid but the one that does it; the file helper comes back when it is needed. */
async function endProcesses(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  await runGit(deps, run, ["kill", ["-KILL", "-1"]], {}, [0, 1]);
}

/**
 * Refuses what git would get wrong without a word. It opens some files by name wherever they stand, and would wait for ever for a
 * pipe to be written to; what lies in a directory that it may not read it leaves out, and takes for unchanged.
 */
async function refuseUnreadable(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  const isLocked = ["-type", "d", "(", "!", "-readable", "-o", "!", "-executable", ")"];
  const names = [".gitignore", ".gitattributes", ".gitmodules"]
    .flatMap((name) => ["-o", "-name", name])
    .slice(1);
  const kinds = ["f", "l", "d"].flatMap((kind) => ["!", "-type", kind]);
  const found = await runGit(deps, run, [
    "find",
    [
      ...[".", "-path", "./.git", "-prune"],
      ...["-o", ...isLocked, "-printf", "locked %p", "-quit"],
      ...["-o", "(", ...names, ")", ...kinds, "-printf", "special %p", "-quit"],
    ],
  ]);
  const [, kind, path] = /^(locked|special) ([^]*)$/.exec(found) ?? [];
  if (kind === undefined || path === undefined) return;
  const fault =
    kind === "locked"
      ? "is a directory that cannot be read, so nothing in it could be committed: make it readable or delete it"
      : "is no regular file, and git would read it: delete it";
  throw new DomainError("git.rejected", `${path} ${fault}, and complete again.`, { path });
}

/**
 * Refuses files in the directory of a submodule that is not checked out, as it never is in a Run's clone: git passes over them
 * without a word. What is a repository of its own there is a commit of its own.
 */
async function refuseSubmoduleContent(deps: WorkspaceDeps, run: RunRecord, index: string): Promise<void> {
  const submodules = [...index.matchAll(/(?<=^|\0)160000 [0-9a-f]+ 0\t([^\0]+)/g)];
  for (const some of inPortions(submodules.map(([, path = ""]) => `./${path}`))) {
    const words = [...some, "-mindepth", "1", "-maxdepth", "1", "-printf", "%h\\0%f\\0"];
    // A directory that is not there has no content either.
    const found = await runGit(deps, run, ["find", words], {}, [0, 1]);
    const entries = [...found.matchAll(/([^\0]+)\0([^\0]+)\0/g)].map(([, at = "", name = ""]) => ({
      at,
      name,
    }));
    const checkedOut = new Set(entries.filter(({ name }) => name === ".git").map(({ at }) => at));
    const left = entries.find(({ at }) => !checkedOut.has(at));
    if (left === undefined) continue;
    const path = `${left.at}/${left.name}`;
    throw new DomainError(
      "git.rejected",
      `${path} lies in a submodule, whose files belong to another repository, so it could not be committed: delete it, and complete again.`,
      { path },
    );
  }
}

async function hasBase(
  deps: WorkspaceDeps,
  run: RunRecord,
  environment: Record<string, string>,
): Promise<boolean> {
  const words = ["cat-file", "-e", `${requireBase(run)}^{tree}`];
  try {
    await runGit(deps, run, ["git", [...plainGit, ...words]], environment);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "git.rejected") return false;
    throw error;
  }
}

/** The agent removed or broke its own repository: what is needed of the base comes from the git service. */
async function fetchBase(
  deps: WorkspaceDeps,
  run: RunRecord,
  environment: Record<string, string>,
): Promise<void> {
  const base = requireBase(run);
  const fork = forkOf(run);
  const { token } = await deps.git.mintFetchToken({ ...fork, runId: run.id });
  await runGit(
    deps,
    run,
    [
      "git",
      [...plainGit, "fetch", "--quiet", "--no-tags", "--depth=1", `http://git:8080${forkPath(fork)}`, base],
    ],
    { ...environment, GIT_ALTERNATE_OBJECT_DIRECTORIES: "", ...authorizationEnvironment(token) },
  );
}

/** Runs one of our own programs as the Run's uid and gives what it printed, without the last line feed. */
async function runGit(
  deps: WorkspaceDeps,
  run: RunRecord,
  [program, words]: readonly [string, readonly string[]],
  env: Record<string, string> = {},
  acceptedCodes: readonly number[] = [0],
): Promise<string> {
  const { sandboxId, uid, directory } = placeOf(run);
  const printed: Uint8Array[] = [];
  let spoken = "";
  const end = await deps.sandboxes.exec(
    {
      sandboxId,
      uid,
      commandId: deps.ids.uuid(),
      argv: [program, ...words],
      cwd: directory,
      env,
      timeoutMs: stepTimeoutMs,
    },
    ({ stream, bytes }) => {
      if (stream === "stdout") printed.push(Uint8Array.from(bytes));
      else if (spoken.length < spokenBytesMax) spoken += Buffer.from(bytes).toString("utf8");
    },
  );
  if (end.status === "exited" && end.exitCode !== null && acceptedCodes.includes(end.exitCode)) {
    return Buffer.concat(printed).toString("utf8").trimEnd();
  }
  if (end.status === "interrupted" && end.reason !== "stopped") {
    throw new DomainError(
      "sandbox.start_failed",
      `The Sandbox went away while the work was committed (${end.reason ?? "unknown"}). Nothing is lost; complete again.`,
      {
        reason: end.reason,
      },
    );
  }
  deps.logger.warn(
    {
      runId: run.id,
      program,
      step: words.find((word) => /^[a-z]/.test(word)),
      end: describeEnd(end),
      spoken,
    },
    "a snapshot failed",
  );
  throw new DomainError(
    "git.rejected",
    `The work could not be committed: ${program} ${describeEnd(end)}. ${spoken.slice(0, 500)}`.trim(),
  );
}

function requireBase(run: RunRecord): string {
  if (run.baseCommit === null) throw new Error(`The Run ${run.id} has no start commit.`);
  return run.baseCommit;
}

function requireHash(text: string): string {
  if (!/^[0-9a-f]{40}$/.test(text))
    throw new DomainError("git.rejected", "git did not answer with a commit.");
  return text;
}

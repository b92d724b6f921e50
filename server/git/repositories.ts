import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { isDirectory, putInPlace, writeBareRepository } from "./bare-repository";
import { toCommitTime } from "./commit-time";
import { GitFailure, type Git } from "./git-command";
import { canonicalObjectsFromKept, type Places } from "./places";
import type { CommitRecord } from "./types";

/** The canonical repositories and what can be asked of their commits. */
export interface Repositories {
  create(input: { projectId: string; defaultBranch: string }): Promise<void>;
  /** Errors: `repository.not_found`. */
  require(projectId: string): Promise<void>;
  getHead(projectId: string): Promise<{ branch: string; commit: string | null }>;
  findBranch(projectId: string, branch: string): Promise<string | null>;
  /** What a ref of a repository on disk names, as a commit; null when it is not there. */
  resolveRef(gitDirectory: string, ref: string): Promise<string | null>;
  /** The repository of the Project that can read the commit: a fork when it is named, else the one with kept commits. */
  getCommit(input: { projectId: string; forkName?: string; commit: string }): Promise<CommitRecord>;
  /** The newest commits of a branch along first parents; empty where there is no such branch. */
  listCommits(projectId: string, branch: string, limit: number): Promise<CommitRecord[]>;
  /** Removes what a killed process left: unfinished directories, quarantines, temporary packs, locks. Nothing may run. */
  recover(): Promise<void>;
}

interface Deps {
  git: Git;
  places: Places;
  ids: Ids;
}

export function createRepositories(deps: Deps): Repositories {
  const { git, places, ids } = deps;
  const requireProject = async (projectId: string): Promise<void> => {
    if (!(await isDirectory(places.project(projectId).canonical)))
      throw new DomainError("repository.not_found", "The Project has no repository.");
  };
  const resolveRef = async (gitDirectory: string, ref: string): Promise<string | null> => {
    const { exitCode, stdout } = await git.run({
      args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
      gitDirectory,
    });
    return exitCode === 0 ? (/[0-9a-f]{40}/.exec(stdout.toString("ascii"))?.[0] ?? null) : null;
  };
  return {
    create: async ({ projectId, defaultBranch }) => {
      const { canonical } = places.project(projectId);
      await ensureKept(deps, projectId);
      if (await isDirectory(canonical)) return;
      const fresh = join(places.scratch, ids.uuid());
      await writeBareRepository(fresh, { head: `refs/heads/${defaultBranch}` });
      await putInPlace(fresh, canonical);
    },
    require: requireProject,
    getHead: async (projectId) => {
      await requireProject(projectId);
      const { canonical } = places.project(projectId);
      const head = await readFile(join(canonical, "HEAD"), "utf8");
      const branch = /^ref: refs\/heads\/(.+)\n$/.exec(head)?.[1];
      if (branch === undefined) throw new Error("HEAD of a canonical repository names no branch");
      return { branch, commit: await resolveRef(canonical, `refs/heads/${branch}`) };
    },
    findBranch: async (projectId, branch) => {
      await requireProject(projectId);
      return resolveRef(places.project(projectId).canonical, `refs/heads/${branch}`);
    },
    resolveRef,
    getCommit: async ({ projectId, forkName, commit }) => {
      await requireProject(projectId);
      const gitDirectory =
        forkName === undefined ? places.project(projectId).kept : places.fork(projectId, forkName);
      if (forkName !== undefined && !(await isDirectory(gitDirectory)))
        throw new DomainError("repository.not_found", "There is no such fork.");
      return readCommit(git, gitDirectory, commit);
    },
    listCommits: async (projectId, branch, limit) => {
      const { canonical } = places.project(projectId);
      await requireProject(projectId);
      const tip = await resolveRef(canonical, `refs/heads/${branch}`);
      return tip === null
        ? []
        : readLog(git, canonical, { options: ["--first-parent", `--max-count=${limit}`], revision: tip });
    },
    recover: () => recover(places),
  };
}

/** Makes the repository of kept commits unless it is there. Its HEAD names a branch that never is. */
export async function ensureKept(deps: Deps, projectId: string): Promise<void> {
  const { kept } = deps.places.project(projectId);
  if (await isDirectory(kept)) return;
  const fresh = join(deps.places.scratch, deps.ids.uuid());
  await writeBareRepository(fresh, { head: "refs/heads/none", alternate: canonicalObjectsFromKept });
  await putInPlace(fresh, kept);
}

/** Errors: `commit.not_found` where the object is not there or is no commit. */
export async function readCommit(git: Git, gitDirectory: string, commit: string): Promise<CommitRecord> {
  const notFound = (cause?: unknown): DomainError =>
    new DomainError("commit.not_found", "The Project holds no such commit.", { commit }, { cause });
  const records = await readLog(git, gitDirectory, {
    options: ["--no-walk"],
    revision: `${commit}^{commit}`,
  }).catch((error: unknown) => {
    throw error instanceof GitFailure && error.exitCode !== null ? notFound(error) : error;
  });
  const [found] = records;
  if (found?.commit !== commit) throw notFound();
  return found;
}

async function readLog(
  git: Git,
  gitDirectory: string,
  { options, revision }: { options: readonly string[]; revision: string },
): Promise<CommitRecord[]> {
  const stdout = await git.succeed({
    args: [
      "log",
      ...options,
      "-z",
      "--no-show-signature",
      "--no-mailmap",
      "--encoding=UTF-8",
      "--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%at%x00%s",
      "--end-of-options",
      revision,
    ],
    gitDirectory,
  });
  const parts = stdout.toString("utf8").split("\0");
  const records: CommitRecord[] = [];
  for (let at = 0; at + partsOfCommit <= parts.length; at += partsOfCommit) {
    const [commit = "", tree = "", parents = "", name = "", email = "", seconds = "", subject = ""] =
      parts.slice(at, at + partsOfCommit);
    records.push({
      commit,
      tree,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      author: { name, email },
      at: toCommitTime(seconds),
      subject,
    });
  }
  return records;
}

const partsOfCommit = 7;

async function recover(places: Places): Promise<void> {
  await rm(places.scratch, { recursive: true, force: true });
  await mkdir(places.scratch, { recursive: true });
  for (const project of await readdir(places.root)) {
    if (!/^[0-9a-f-]{36}$/.test(project)) continue;
    const { canonical, kept, forks } = places.project(project);
    const forkEntries = (await isDirectory(forks)) ? await readdir(forks) : [];
    for (const entry of forkEntries)
      if (entry.startsWith(".new-")) await rm(join(forks, entry), { recursive: true, force: true });
    const repositories = [
      canonical,
      kept,
      ...forkEntries.filter((entry) => entry.endsWith(".git")).map((entry) => join(forks, entry)),
    ];
    for (const repository of repositories) if (await isDirectory(repository)) await clean(repository);
  }
}

async function clean(repository: string): Promise<void> {
  const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
  for (const entry of await readdir(join(repository, "objects")))
    if (entry.startsWith("tmp_objdir-") || entry.startsWith("incoming-"))
      await remove(join(repository, "objects", entry));
  for (const entry of await readdir(join(repository, "objects/pack")))
    if (entry.startsWith("tmp_") || entry.startsWith(".tmp-"))
      await remove(join(repository, "objects/pack", entry));
  for (const entry of await readdir(repository))
    if (entry.endsWith(".lock")) await remove(join(repository, entry));
  for (const entry of await readdir(join(repository, "refs"), { recursive: true }))
    if (entry.endsWith(".lock")) await remove(join(repository, "refs", entry));
}

import { DomainError } from "../platform/errors";
import { splitAtNul, toPathHandle } from "./path-handle";
import { copyCommit, hasCommit } from "./forks";
import { GitFailure, type Git } from "./git-command";
import type { Places } from "./places";
import type { Repositories } from "./repositories";
import type { ControlInput } from "./schema";
import type { MergeResult, MergeTest } from "./types";

/** Merges kept commits into branches of the canonical repository. */
export interface Merges {
  test(input: ControlInput<"testMerge">): Promise<MergeTest>;
  merge(input: ControlInput<"merge">): Promise<MergeResult>;
}

interface Deps {
  git: Git;
  places: Places;
  repositories: Repositories;
}

type TreeResult = { status: "clean"; tree: string } | { status: "conflict"; files: string[] };

/**
 * Trees are merged in the repository of kept commits, which has both sides and no attributes: no merge driver that a repository
 * names is ever run. The canonical repository then gets what it lacks, and its branch moves from one commit to one other.
 */
export function createMerges(deps: Deps): Merges {
  const { places, repositories } = deps;
  return {
    test: async ({ projectId, branch, head }) => {
      const base = await repositories.findBranch(projectId, branch);
      if (base === null) throw new DomainError("commit.not_found", "The branch has no commit.", { branch });
      const { kept } = places.project(projectId);
      await requireCommit(deps, kept, head);
      const mergeBase = await findMergeBase(deps.git, kept, base, head);
      const isContained = mergeBase === head;
      const behindBy = await countCommits(deps.git, kept, { from: head, to: base });
      const known = { baseCommit: base, mergeBase, behindBy, isContained };
      if (isContained) return { ...known, status: "contained" };
      if (behindBy === 0) return { ...known, status: "fast_forward" };
      const merged = await mergeTrees(deps.git, kept, base, head);
      return merged.status === "clean" ? { ...known, status: "clean" } : { ...known, ...merged };
    },
    merge: async (input) => {
      const { kept } = places.project(input.projectId);
      const current = await repositories.findBranch(input.projectId, input.branch);
      await requireCommit(deps, kept, input.head);
      if (!(await hasCommit(deps.git, kept, input.expectedBase)))
        return { status: "refused", reason: "base_moved", current };
      if (current === input.expectedBase && (await isAncestor(deps.git, kept, input.head, current)))
        return { status: "merged", commit: current, isFastForward: true };
      const isFastForward = await isAncestor(deps.git, kept, input.expectedBase, input.head);
      let commit = input.head;
      if (!isFastForward) {
        const merged = await mergeTrees(deps.git, kept, input.expectedBase, input.head);
        if (merged.status === "conflict")
          return current === input.expectedBase
            ? { status: "refused", reason: "conflict", files: merged.files }
            : { status: "refused", reason: "base_moved", current };
        commit = await writeMergeCommit(deps.git, kept, input, merged.tree);
      }
      return land(deps, input, { commit, current, isFastForward });
    },
  };
}

/** Moves the branch by compare-and-swap. What an earlier call of the same merge moved already counts as done. */
async function land(
  deps: Deps,
  input: ControlInput<"merge">,
  { commit, current, isFastForward }: { commit: string; current: string | null; isFastForward: boolean },
): Promise<MergeResult> {
  const { canonical, kept } = deps.places.project(input.projectId);
  const merged: MergeResult = { status: "merged", commit, isFastForward };
  const isInBranch = async (tip: string | null): Promise<boolean> =>
    tip !== null &&
    (await hasCommit(deps.git, canonical, commit)) &&
    isAncestor(deps.git, canonical, commit, tip);
  if (current !== input.expectedBase)
    return (await isInBranch(current)) ? merged : { status: "refused", reason: "base_moved", current };
  await copyCommit(deps.git, { from: kept, to: canonical, commit, ref: null });
  const { exitCode, stderr } = await deps.git.run({
    args: ["update-ref", `refs/heads/${input.branch}`, commit, input.expectedBase],
    gitDirectory: canonical,
  });
  if (exitCode === 0) return merged;
  const now = await deps.repositories.findBranch(input.projectId, input.branch);
  if (await isInBranch(now)) return merged;
  if (now === input.expectedBase) throw new GitFailure("update-ref", exitCode, stderr);
  return { status: "refused", reason: "base_moved", current: now };
}

async function mergeTrees(git: Git, directory: string, base: string, head: string): Promise<TreeResult> {
  const { exitCode, stdout, stderr } = await git.run({
    args: ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", base, head],
    gitDirectory: directory,
  });
  const [tree = "", ...files] = splitAtNul(stdout);
  if (exitCode === 0) return { status: "clean", tree: tree.toString("ascii") };
  if (exitCode === 1) return { status: "conflict", files: files.map(toPathHandle) };
  if (stderr.includes("refusing to merge unrelated histories")) return { status: "conflict", files: [] };
  throw new GitFailure("merge-tree", exitCode, stderr);
}

async function writeMergeCommit(
  git: Git,
  directory: string,
  input: ControlInput<"merge">,
  tree: string,
): Promise<string> {
  const at = `@${Math.floor(Date.parse(input.at) / 1000)} +0000`;
  const stdout = await git.succeed({
    args: ["commit-tree", tree, "-p", input.expectedBase, "-p", input.head],
    gitDirectory: directory,
    stdin: input.message.endsWith("\n") ? input.message : `${input.message}\n`,
    env: {
      GIT_AUTHOR_NAME: input.author.name,
      GIT_AUTHOR_EMAIL: input.author.email,
      GIT_AUTHOR_DATE: at,
      GIT_COMMITTER_NAME: input.committer.name,
      GIT_COMMITTER_EMAIL: input.committer.email,
      GIT_COMMITTER_DATE: at,
    },
  });
  return stdout.toString("ascii").trim();
}

async function isAncestor(git: Git, directory: string, ancestor: string, commit: string): Promise<boolean> {
  const { exitCode, stderr } = await git.run({
    args: ["merge-base", "--is-ancestor", ancestor, commit],
    gitDirectory: directory,
  });
  if (exitCode === 0 || exitCode === 1) return exitCode === 0;
  throw new GitFailure("merge-base", exitCode, stderr);
}

/** The best one, or null for commits of unrelated histories. */
async function findMergeBase(
  git: Git,
  directory: string,
  one: string,
  other: string,
): Promise<string | null> {
  const { exitCode, stdout, stderr } = await git.run({
    args: ["merge-base", one, other],
    gitDirectory: directory,
  });
  if (exitCode === 0) return stdout.toString("ascii").trim();
  if (exitCode === 1) return null;
  throw new GitFailure("merge-base", exitCode, stderr);
}

/** How many commits `to` has that `from` has not. */
async function countCommits(
  git: Git,
  directory: string,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const stdout = await git.succeed({
    args: ["rev-list", "--count", "--end-of-options", to, `^${from}`],
    gitDirectory: directory,
  });
  return Number(stdout.toString("ascii").trim());
}

async function requireCommit(deps: Deps, directory: string, commit: string): Promise<void> {
  if (!(await hasCommit(deps.git, directory, commit)))
    throw new DomainError("commit.not_found", "The Project holds no such commit.", { commit });
}

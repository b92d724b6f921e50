import { toCommitTime } from "./commit-time";
import type { Git } from "./git-command";
import type { Places } from "./places";
import type { Repositories } from "./repositories";
import type { BranchRecord } from "./types";

const branchesMax = 200;

/** The branches of a canonical repository, the one with the newest commit first. */
export async function listBranches(
  deps: { git: Git; places: Places; repositories: Repositories },
  projectId: string,
): Promise<BranchRecord[]> {
  const { branch: defaultBranch } = await deps.repositories.getHead(projectId);
  const stdout = await deps.git.succeed({
    args: [
      "for-each-ref",
      `--count=${branchesMax}`,
      "--sort=-committerdate",
      "--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:subject)%00",
      "refs/heads/",
    ],
    gitDirectory: deps.places.project(projectId).canonical,
  });
  const parts = stdout.toString("utf8").split("\0");
  const branches: BranchRecord[] = [];
  for (let at = 0; at + 4 < parts.length; at += 4) {
    const [ref = "", commit = "", seconds = "", subject = ""] = parts.slice(at, at + 4);
    const name = ref.replace(/^\n?refs\/heads\//, "");
    branches.push({ name, commit, subject, at: toCommitTime(seconds), isDefault: name === defaultBranch });
  }
  return branches;
}

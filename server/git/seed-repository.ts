import { join } from "node:path";
import { mkdir, rm } from "node:fs/promises";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Git } from "./git-command";
import { writePathTree, type TreeLeaf } from "./path-tree";
import type { Places } from "./places";
import type { Repositories } from "./repositories";
import type { ControlInput } from "./schema";

interface Deps {
  git: Git;
  places: Places;
  repositories: Repositories;
  ids: Ids;
}

/**
 * Makes the first commit of a canonical repository. The commit follows from the input alone, so a repeated call finds what
 * the first one did. Errors: `conflict.stale` when the branch has another commit.
 */
export async function seedRepository(
  deps: Deps,
  input: ControlInput<"seedRepository">,
): Promise<{ commit: string }> {
  const { git, places, repositories } = deps;
  const { branch, commit: present } = await repositories.getHead(input.projectId);
  const { canonical } = places.project(input.projectId);
  const leaves: TreeLeaf[] = [];
  for (const { path, base64, isExecutable } of input.files) {
    const stdout = await git.succeed({
      args: ["hash-object", "-w", "--stdin"],
      gitDirectory: canonical,
      stdin: Buffer.from(base64, "base64"),
    });
    const objectId = stdout.toString("ascii").trim();
    leaves.push({ path: Buffer.from(path), mode: isExecutable ? "100755" : "100644", objectId });
  }
  const tree = await writeTreeInto(deps, canonical, leaves);
  const { name, email } = input.author;
  const at = `${Math.floor(new Date(input.at).getTime() / 1000)} +0000`;
  const made = await git.succeed({
    args: ["commit-tree", tree, "-m", input.message],
    gitDirectory: canonical,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: at,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: at,
    },
  });
  const commit = made.toString("ascii").trim();
  if (present === commit) return { commit };
  const none = "0".repeat(40);
  const { exitCode } = await git.run({
    args: ["update-ref", `refs/heads/${branch}`, commit, none],
    gitDirectory: canonical,
  });
  // Two calls at once: the second finds what the first one did.
  const isThere = exitCode === 0 || (await repositories.getHead(input.projectId)).commit === commit;
  if (!isThere) throw new DomainError("conflict.stale", "The repository has a commit already.");
  return { commit };
}

/** Trees are written beside the repository and taken over by git, which checks them. */
async function writeTreeInto(deps: Deps, canonical: string, leaves: readonly TreeLeaf[]): Promise<string> {
  const scratch = join(deps.places.scratch, deps.ids.uuid());
  await mkdir(scratch, { recursive: true });
  try {
    const tree = await writePathTree(scratch, leaves);
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: scratch };
    const listed = await deps.git.succeed({
      args: ["rev-list", "--objects", "--no-walk", tree],
      gitDirectory: canonical,
      env,
    });
    const pack = await deps.git.succeed({
      args: ["pack-objects", "--stdout", "-q"],
      gitDirectory: canonical,
      env,
      stdin: listed,
    });
    await deps.git.succeed({ args: ["unpack-objects", "-q"], gitDirectory: canonical, stdin: pack });
    return tree;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

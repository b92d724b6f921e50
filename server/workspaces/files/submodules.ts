import type { WorkspaceDeps } from "../deps";
import type { AwakeRun } from "../lifecycle/awake";
import { askGit } from "./ask-git";

/** Which directories of a listing stand for a commit of another repository. A Run's clone leaves them empty. */
export interface Submodules {
  /** Finds out about the next entries of the listing and the directories that they lie in. */
  learn(items: readonly { path: string; type: string }[]): Promise<void>;
  has(path: string): boolean;
  /** True for what lies in one, however deep. */
  holds(path: string): boolean;
}

const gitlink = /^160000 commit [0-9a-f]+\t([^]+)$/;

/** Asks git for what the Run's commit has at these paths; where git cannot say, every directory is one. */
export function createSubmodules(deps: WorkspaceDeps, awake: AwakeRun): Submodules {
  const asked = new Set<string>();
  const submodules = new Set<string>();
  return {
    has: (path) => submodules.has(path),
    holds: (path) => directoriesOf(path).some((directory) => submodules.has(directory)),
    learn: async (items) => {
      const directories = items.flatMap(({ path, type }) => [
        ...directoriesOf(path),
        ...(type === "directory" ? [path] : []),
      ]);
      const fresh = [...new Set(directories)].filter((path) => !asked.has(path));
      for (const path of fresh) asked.add(path);
      const printed = await askGit(deps, awake, ["ls-tree", "-z", "HEAD"], fresh);
      for (const entry of printed.split("\0")) {
        const path = gitlink.exec(entry)?.[1];
        if (path !== undefined) submodules.add(path);
      }
    },
  };
}

/** `a` and `a/b` for `a/b/c`. */
function directoriesOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

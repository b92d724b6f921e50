import type { WorkspaceDeps } from "../deps";
import type { AwakeRun } from "../lifecycle/awake";
import { askGit } from "./ask-git";
import { readQuotedPath } from "./quoted-path";

/** Which entries of a listing git would ignore in the Run's directory; `.git` is always one of them. */
export interface Ignored {
  /** Finds out about the next entries of the listing. */
  learn(items: readonly { path: string }[]): Promise<void>;
  has(path: string): boolean;
}

/**
 * Asks git itself; where git cannot say, for want of a repository that it can read, nothing is hidden but `.git`. What git tracks is
 * not ignored. It must not be asked about the content of a submodule: it then says nothing about all the others either.
 */
export function createIgnored(deps: WorkspaceDeps, awake: AwakeRun): Ignored {
  const ignored = new Set<string>();
  const isHidden = (path: string): boolean => path.split("/").includes(".git") || ignored.has(path);
  return {
    has: isHidden,
    learn: async (items) => {
      const paths = items.map(({ path }) => path).filter((path) => !isHidden(path));
      const printed = await askGit(deps, awake, ["check-ignore"], paths);
      for (const line of printed.split("\n")) {
        if (line !== "") ignored.add(readQuotedPath(line).slice("./".length));
      }
    },
  };
}

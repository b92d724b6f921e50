import { posix } from "node:path";
import type { Finding } from "./types";

/** Where a symbolic link leads, seen from the repository: one that leaves it is called so. */
export function findingOfSymlink(path: string, target: string, isNew: boolean): Finding {
  const reached = posix.normalize(posix.join(posix.dirname(path), target));
  const isOutside = target.startsWith("/") || reached === ".." || reached.startsWith("../");
  const verb = isNew ? "Added, leads to" : "Leads now to";
  const shown = target.length > 200 ? `${target.slice(0, 200)}…` : target;
  return {
    reason: "symlink",
    line: null,
    detail: `${verb} ${shown}${isOutside ? ", outside of the repository" : ""}.`,
  };
}

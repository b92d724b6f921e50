import type { Scope } from "../access/scope";
import { DomainError } from "../platform/errors";
import type { ChangeSetStore } from "./store";
import type { ChangeSetRecord } from "./types";

/** Errors: `changeset.not_found`, the same for one that the scope does not reach. */
export async function findChangeSet(
  store: Pick<ChangeSetStore, "find">,
  id: string,
  scope: Scope,
): Promise<ChangeSetRecord> {
  const found = await store.find(id, scope);
  if (found === null) throw new DomainError("changeset.not_found", "There is no such ChangeSet.");
  return found;
}

/** Whoever judges a ChangeSet says which commit they saw. Errors: `conflict.stale` when it is another. */
export function requireHead(changeSet: ChangeSetRecord, headCommit: string): void {
  if (changeSet.headCommit === headCommit) return;
  throw new DomainError("conflict.stale", "headCommit: this is not the commit of this ChangeSet.", {
    field: "headCommit",
    headCommit: changeSet.headCommit,
    state: changeSet.state,
  });
}

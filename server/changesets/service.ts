import type { Scope } from "../access/scope";
import type { DiffFile, DiffPatch, GitService, WhitespaceMode } from "../git/types";
import { DomainError } from "../platform/errors";
import type { ChangeSetStore } from "./store";
import type { ChangeSetFilter, ChangeSetRecord } from "./types";

/** ChangeSets as they are read and compared. What a scope does not reach is not found. */
export interface ChangeSets {
  /** Errors: `changeset.not_found`. */
  get(id: string, scope: Scope): Promise<ChangeSetRecord>;
  /** Oldest first. */
  list(
    input: ChangeSetFilter & { scope: Scope; after: string | null; limit: number },
  ): Promise<ChangeSetRecord[]>;
  /** One row a file, from git. Errors: `changeset.not_found`, `git.unavailable`. */
  files(input: DiffRequest, scope: Scope): Promise<ChangeSetDiff>;
  /** One file as git prints it. Errors: `changeset.not_found`, `git.unavailable`. */
  patch(input: DiffRequest & { path: string; context: number }, scope: Scope): Promise<DiffPatch>;
  /** ChangeSets of one Project, each against its own base. Errors: `changeset.not_found`, `input.invalid`. */
  compare(ids: readonly string[], scope: Scope): Promise<{ changeSet: ChangeSetRecord; files: DiffFile[] }[]>;
}

/** `against`: the ChangeSet's own base, or the id of another ChangeSet of the same Project, whose head is the old side. */
export interface DiffRequest {
  id: string;
  against: string;
  whitespace: WhitespaceMode;
}

/** The two commits that were compared, and what differs. */
export interface ChangeSetDiff {
  baseCommit: string;
  headCommit: string;
  files: DiffFile[];
}

export function createChangeSets(deps: {
  store: ChangeSetStore;
  git: Pick<GitService, "diffFiles" | "diffPatch">;
}): ChangeSets {
  const { store, git } = deps;
  const get = async (id: string, scope: Scope): Promise<ChangeSetRecord> => {
    const found = await store.find(id, scope);
    if (found === null) throw new DomainError("changeset.not_found", "There is no such ChangeSet.");
    return found;
  };
  const rangeOf = async (
    { id, against }: DiffRequest,
    scope: Scope,
  ): Promise<{ projectId: string; base: string; head: string }> => {
    const { projectId, baseCommit, headCommit } = await get(id, scope);
    const inProject = { projectId, changeId: scope.changeId };
    const base = against === "base" ? baseCommit : (await get(against, inProject)).headCommit;
    return { projectId, base, head: headCommit };
  };
  return {
    get,
    list: (input) => store.list(input),
    files: async (input, scope) => {
      const range = await rangeOf(input, scope);
      const files = await git.diffFiles({ ...range, whitespace: input.whitespace });
      return { baseCommit: range.base, headCommit: range.head, files };
    },
    patch: async ({ path, context, ...input }, scope) =>
      git.diffPatch({ ...(await rangeOf(input, scope)), path, context, whitespace: input.whitespace }),
    compare: async (ids, scope) => {
      const changeSets = await Promise.all(ids.map((id) => get(id, scope)));
      if (new Set(changeSets.map(({ projectId }) => projectId)).size > 1) {
        throw new DomainError("input.invalid", "ids: only ChangeSets of one Project can be compared", {
          field: "ids",
        });
      }
      return Promise.all(
        changeSets.map(async (changeSet) => ({
          changeSet,
          files: await git.diffFiles({
            projectId: changeSet.projectId,
            base: changeSet.baseCommit,
            head: changeSet.headCommit,
          }),
        })),
      );
    },
  };
}

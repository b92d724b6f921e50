import type { Scope } from "../access/scope";
import type { DiffFile, DiffPatch, GitService, OpenedSide, PathPatch, WhitespaceMode } from "../git/types";
import { DomainError } from "../platform/errors";
import { findChangeSet } from "./find-change-set";
import { survey, surveyLimits } from "./highlights/survey";
import type { Highlights } from "./highlights/types";
import type { ChangeSetStore } from "./store";
import type { ChangeSetFilter, ChangeSetRecord } from "./types";

/** ChangeSets as they are read and compared. What a scope does not reach is not found. */
export interface ChangeSets {
  /** Errors: `changeset.not_found`. */
  get(id: string, scope: Scope): Promise<ChangeSetRecord>;
  /** All versions of the ChangeSet's series, in their order. Errors: `changeset.not_found`. */
  listVersions(id: string, scope: Scope): Promise<ChangeSetRecord[]>;
  /** Oldest first. */
  list(
    input: ChangeSetFilter & { scope: Scope; after: string | null; limit: number },
  ): Promise<ChangeSetRecord[]>;
  /** One row a file, from git. Errors: `changeset.not_found`, `git.unavailable`. */
  files(input: DiffRequest, scope: Scope): Promise<ChangeSetDiff>;
  /** One file as git prints it. Errors: `changeset.not_found`, `file.not_found`, `git.unavailable`. */
  patch(input: DiffRequest & { path: string; context: number }, scope: Scope): Promise<DiffPatch>;
  /** Several files, each as `patch` gives it; what passes 10 MiB in all is empty and `truncated`. Errors: as `patch`. */
  patches(
    input: DiffRequest & { paths: readonly string[]; context: number },
    scope: Scope,
  ): Promise<PathPatch[]>;
  /** The bytes of one side of a file, base64; empty and `truncated` above `bytesMax`. Errors: as `patch`. */
  content(
    input: Omit<DiffRequest, "whitespace"> & { path: string; side: "old" | "new"; bytesMax: number },
    scope: Scope,
  ): Promise<{ base64: string; sizeBytes: number; truncated: boolean }>;
  /** The same as they come, in little memory. Errors: as `patch`, and `limit.size` above `bytesMax`. */
  download(
    input: Omit<DiffRequest, "whitespace"> & { path: string; side: "old" | "new"; bytesMax: number },
    scope: Scope,
  ): Promise<OpenedSide>;
  /** What to look at first, against the own base. Errors: `changeset.not_found`, `git.unavailable`. */
  highlights(id: string, scope: Scope): Promise<Highlights>;
  /**
   * ChangeSets of one Project, each against its own base, with the tree of its head. Errors: `changeset.not_found`,
   * `input.invalid`, `git.unavailable`.
   */
  compare(ids: readonly string[], scope: Scope): Promise<ComparedChangeSet[]>;
}

/** What a ChangeSet changes of its own base. Two of the same `tree` hold the same files. */
export interface ComparedChangeSet {
  changeSet: ChangeSetRecord;
  files: DiffFile[];
  tree: string;
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
  git: Pick<GitService, "getCommit" | "diffFiles" | "diffPatch" | "diffPatches" | "readSide" | "openSide">;
}): ChangeSets {
  const { store, git } = deps;
  const get = (id: string, scope: Scope): Promise<ChangeSetRecord> => findChangeSet(store, id, scope);
  const rangeOf = async (
    { id, against }: Pick<DiffRequest, "id" | "against">,
    scope: Scope,
  ): Promise<{ projectId: string; base: string; head: string }> => {
    const { projectId, baseCommit, headCommit } = await get(id, scope);
    const inProject = { projectId, changeId: scope.changeId };
    const base = against === "base" ? baseCommit : (await get(against, inProject)).headCommit;
    return { projectId, base, head: headCommit };
  };
  return {
    get,
    listVersions: async (id, scope) => store.listSeries((await get(id, scope)).seriesId),
    list: (input) => store.list(input),
    files: async (input, scope) => {
      const range = await rangeOf(input, scope);
      const files = await git.diffFiles({ ...range, whitespace: input.whitespace });
      return { baseCommit: range.base, headCommit: range.head, files };
    },
    patch: async ({ path, context, ...input }, scope) =>
      git.diffPatch({ ...(await rangeOf(input, scope)), path, context, whitespace: input.whitespace }),
    patches: async ({ paths, context, ...input }, scope) =>
      git.diffPatches({ ...(await rangeOf(input, scope)), paths, context, whitespace: input.whitespace }),
    content: async ({ path, side, bytesMax, ...input }, scope) =>
      git.readSide({ ...(await rangeOf(input, scope)), path, side, bytesMax }),
    download: async ({ path, side, bytesMax, ...input }, scope) =>
      git.openSide({ ...(await rangeOf(input, scope)), path, side, bytesMax }),
    highlights: async (id, scope) => survey(git, await rangeOf({ id, against: "base" }, scope), surveyLimits),
    compare: async (ids, scope) => {
      const changeSets = await Promise.all(ids.map((id) => get(id, scope)));
      if (new Set(changeSets.map(({ projectId }) => projectId)).size > 1) {
        throw new DomainError("input.invalid", "ids: only ChangeSets of one Project can be compared", {
          field: "ids",
        });
      }
      return Promise.all(
        changeSets.map(async (changeSet) => {
          const { projectId, baseCommit: base, headCommit: head } = changeSet;
          const [files, { tree }] = await Promise.all([
            git.diffFiles({ projectId, base, head }),
            git.getCommit({ projectId, commit: head }),
          ]);
          return { changeSet, files, tree };
        }),
      );
    },
  };
}

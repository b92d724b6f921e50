import { z } from "zod";
import { changeSetStates, type ChangeSetRecord } from "../../changesets/types";
import { forkNameOf } from "../../git/repository-paths";
import type { DiffFile } from "../../git/types";
import { commit, count, id, time } from "../fields";

export const changeSetState = z.enum(changeSetStates);

/** A ChangeSet as the API shows it. */
export const changeSetView = z.object({
  id: z.uuid(),
  runId: z.uuid(),
  taskId: z.uuid(),
  changeId: z.uuid(),
  projectId: z.uuid(),
  seriesId: z.uuid(),
  version: z.int().min(1),
  state: changeSetState,
  title: z.string(),
  summary: z.string(),
  forkName: z.string(),
  baseCommit: commit,
  headCommit: commit,
  filesChanged: count,
  insertions: count,
  deletions: count,
  createdAt: time,
});

export function toChangeSetView(changeSet: ChangeSetRecord): z.output<typeof changeSetView> {
  return {
    ...changeSet,
    forkName: forkNameOf(changeSet.runId),
    createdAt: changeSet.createdAt.toISOString(),
  };
}

/** What is compared with what: the own base, or another ChangeSet of the same Project, is the old side. */
export const diffInput = {
  id,
  against: z.union([z.literal("base"), id]).default("base"),
  whitespace: z.enum(["none", "trailing", "all"]).default("none"),
};

const diffSide = z.object({
  mode: z.string(),
  objectId: z.string(),
  sizeBytes: count.nullable(),
  encoding: z.enum(["utf-8", "utf-16le", "utf-16be", "iso-8859-1"]).nullable(),
  lfs: z.object({ objectId: z.string(), sizeBytes: count }).nullable(),
});

/** One file that differs. `path` is what `changeSet.patch` takes, `displayPath` is for eyes. */
export const diffFileView: z.ZodType<DiffFile> = z.object({
  status: z.enum(["added", "deleted", "modified", "renamed", "type_changed"]),
  path: z.string(),
  displayPath: z.string(),
  oldPath: z.string(),
  oldDisplayPath: z.string(),
  old: diffSide.nullable(),
  new: diffSide.nullable(),
  similarity: z.int().min(0).max(100).nullable(),
  kind: z.enum(["text", "binary", "symlink", "submodule"]),
  insertions: count.nullable(),
  deletions: count.nullable(),
  flags: z.array(
    z.enum([
      "mode_changed",
      "became_executable",
      "bom_changed",
      "line_endings_changed",
      "no_final_newline",
      "lfs_pointer",
      "empty",
      "generated",
      "invisible_or_bidi",
      "conflict_markers",
      "nul_in_text",
      "not_scanned",
    ]),
  ),
});

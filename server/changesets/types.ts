import type { DiffStats } from "../git/types";

export const changeSetStates = [
  "proposed",
  "changes_requested",
  "rejected",
  "approved",
  "mergeable",
  "merged",
  "merge_failed",
  "withdrawn",
  "superseded",
  "not_chosen",
] as const;
export type ChangeSetState = (typeof changeSetStates)[number];

/** What a completed Run proposes: two immutable commits. `headCommit` is what is reviewed and merged, or nothing is. */
export interface ChangeSetRecord extends DiffStats {
  id: string;
  runId: string;
  taskId: string;
  changeId: string;
  projectId: string;
  /** One attempt at the Task and its revisions, which are its versions from 1. */
  seriesId: string;
  version: number;
  state: ChangeSetState;
  title: string;
  summary: string;
  baseCommit: string;
  headCommit: string;
  createdAt: Date;
}

/** Which ChangeSets are listed. Null means not restricted. */
export interface ChangeSetFilter {
  projectId: string | null;
  changeId: string | null;
  taskId: string | null;
  state: ChangeSetState | null;
}

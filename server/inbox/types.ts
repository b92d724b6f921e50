import type { ChangeSetState } from "../changesets/types";
import type { TaskKind } from "../projects/types";
import type { RunEndKind, RunState } from "../workspaces/runs/types";

/** By whose turn it is. `stuck` and `merged` reach back a while only. */
export const inboxGroups = [
  "needs_review",
  "changes_requested",
  "approved",
  "stuck",
  "working",
  "merged",
] as const;
export type InboxGroup = (typeof inboxGroups)[number];

/** Null means not restricted. `search` is looked for in titles and in the Project's name. */
export interface InboxFilter {
  group: InboxGroup;
  projectId: string | null;
  search: string | null;
}

/** What a row says of a ChangeSet. */
export interface InboxChangeSet {
  id: string;
  version: number;
  state: ChangeSetState;
  title: string;
  filesChanged: number;
  insertions: number;
  deletions: number;
  unresolvedThreads: number;
  /** How its last merge came out; null when nobody tried, and while one is under way. */
  mergeOutcome: "merged" | "conflict" | "base_moved" | "failed" | null;
}

/** What a row says of a Run. */
export interface InboxRun {
  id: string;
  state: RunState;
  lastActivityAt: Date;
  endKind: RunEndKind | null;
  endReason: string | null;
}

/** One thing that waits for somebody, or went on lately. */
export interface InboxRow {
  /** Where the next page goes on. */
  id: string;
  projectId: string;
  projectName: string;
  changeId: string;
  changeTitle: string;
  maxActiveSandboxes: number | null;
  openWorkspaces: number;
  taskId: string;
  taskTitle: string;
  taskKind: TaskKind;
  /** The label of the token that opened the Run; null for a person. */
  agentName: string | null;
  /** Since when it stands in its group. */
  at: Date;
  run: InboxRun;
  changeSet: InboxChangeSet | null;
}

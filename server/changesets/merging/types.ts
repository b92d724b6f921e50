import type { Actor } from "../../access/types";

export type MergeOutcome = "merged" | "conflict" | "base_moved" | "failed";

/** One merge: all that its commit follows from, and what came of it. */
export interface MergeRecord {
  id: string;
  changeSetId: string;
  taskId: string;
  branch: string;
  expectedBase: string;
  message: string;
  actor: Actor;
  email: string;
  begunAt: Date;
  /** Null while it is under way. */
  outcome: MergeOutcome | null;
  commit: string | null;
  files: string[];
  detail: string | null;
  finishedAt: Date | null;
}

/** What a merge came to, as it is written once. */
export type MergeEnd =
  | { outcome: "merged"; commit: string; isFastForward: boolean }
  | { outcome: "conflict"; files: string[] }
  | { outcome: "base_moved" }
  | { outcome: "failed"; detail: string };

/** What a caller of a merge is told. Refused means that nothing was merged. */
export type MergeAnswer =
  | { status: "merged"; commit: string }
  | {
      status: "refused";
      reason: "not_approved" | "conflict" | "base_moved" | "check_failed";
      message: string;
      files?: string[];
    };

/** How a ChangeSet would merge now. `files` are those that conflict. */
export interface Mergeability {
  /** `unrelated`: there is no branch yet, or the two have no history in common. */
  status: "fast_forward" | "clean" | "conflict" | "merged" | "unrelated";
  branch: string;
  /** The branch's commit now; null when it has none. */
  baseCommit: string | null;
  /** Commits of the branch that the ChangeSet does not have. */
  behindBy: number;
  files: string[];
  /** The message that a merge commit gets unless the caller gives another. */
  message: string;
  isApproved: boolean;
}

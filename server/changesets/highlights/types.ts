/** Why a reviewer should look here first, the weightiest before the others: items stand in this order. */
export const highlightReasons = [
  "secret",
  "invisible_or_bidi",
  "conflict_markers",
  "lifecycle_script",
  "ci",
  "code_owners",
  "git_attributes",
  "git_modules",
  "submodule",
  "symlink",
  "became_executable",
  "binary_added",
  "auth",
  "migration",
  "container",
  "new_dependency",
  "lock_file",
  "deleted_test",
  "skipped_test",
  "focused_test",
  "large_deletion",
  "generated",
] as const;

export type HighlightReason = (typeof highlightReasons)[number];

/** One place to look at first. `path` is a handle as in `DiffFile.path`; `line` is one of the proposed side. */
export interface Highlight {
  reason: HighlightReason;
  path: string;
  displayPath: string;
  line: number | null;
  /** Words for a person; may hold what an agent chose, never a secret in full. */
  detail: string;
}

/** `truncated`: some changed files were not looked into, or there are more items than these. */
export interface Highlights {
  items: Highlight[];
  truncated: boolean;
}

/** What a rule says of one file; the file itself is known to who asks. */
export type Finding = Pick<Highlight, "reason" | "line" | "detail">;

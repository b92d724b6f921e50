import type { RunEvent } from "./run-log";

/** The small diff that a file change keeps with its event. */
export interface ToolDiff {
  insertions: number;
  deletions: number;
  /** Hunks of a unified diff, without a file header. */
  patch: string;
  /** Whether `patch` ends before the change does. */
  truncated: boolean;
}

/** Null for a change that could not be shown, such as one of a binary file. */
export function readToolDiff(data: RunEvent["data"]): ToolDiff | null {
  const { diff } = data;
  if (typeof diff !== "object" || diff === null) return null;
  const { insertions, deletions, patch, truncated } = diff as Record<string, unknown>;
  if (typeof insertions !== "number" || typeof deletions !== "number" || typeof patch !== "string")
    return null;
  return { insertions, deletions, patch, truncated: truncated === true };
}

import type { Actor } from "../../access/types";
import type { JsonObject } from "../../platform/storable-text";

/** What can happen to a ChangeSet, in the past tense. */
export const historyKinds = [
  "proposed",
  "superseded",
  "reviewed",
  "commented",
  "thread_opened",
  "thread_state_set",
  "merge_begun",
  "merge_refused",
  "merge_failed",
  "merged",
  "not_chosen",
  "mergeable",
] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** One line of what happened to a series. */
export interface HistoryEntry {
  id: string;
  seriesId: string;
  changeSetId: string;
  version: number;
  at: Date;
  /** Null for what a Run or the server did. */
  actor: Actor | null;
  what: HistoryKind;
  data: JsonObject;
}

import type { Comments } from "./comments/service";
import type { Drafts } from "./drafts/service";
import type { HistoryStore } from "./history/store";
import type { Merges } from "./merging/service";
import type { Reviews } from "./reviews/service";
import type { ViewedMarks } from "./viewed/service";

/** All that people do with ChangeSets: look at them, say something, decide, merge. */
export interface Reviewing {
  reviews: Reviews;
  comments: Comments;
  drafts: Drafts;
  viewed: ViewedMarks;
  merges: Merges;
  history: HistoryStore;
}

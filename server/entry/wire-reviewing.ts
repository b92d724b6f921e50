import type { Actor } from "../access/types";
import { createAnchors } from "../changesets/comments/anchors";
import { createComments } from "../changesets/comments/service";
import { createCommentStore } from "../changesets/comments/store";
import { createDrafts } from "../changesets/drafts/service";
import { createDraftStore } from "../changesets/drafts/store";
import { createHistoryStore, type HistoryWriter } from "../changesets/history/store";
import { createMerges } from "../changesets/merging/service";
import { createMergeStore } from "../changesets/merging/store";
import type { Reviewing } from "../changesets/reviewing";
import { createReviews } from "../changesets/reviews/service";
import { createReviewStore } from "../changesets/reviews/store";
import { createChangeSetStore, createChangeSetWriter } from "../changesets/store";
import { createViewedMarks } from "../changesets/viewed/service";
import { createViewedStore } from "../changesets/viewed/store";
import type { Events } from "../events/service";
import type { GitService } from "../git/types";
import type { Idempotency } from "../idempotency/service";
import type { Clock } from "../platform/clock";
import type { Db, RunInTransaction } from "../platform/db";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { SettingsService } from "../settings/service";

/** Puts together what people do with ChangeSets, on one pool. */
export function wireReviewing(parts: {
  db: Db;
  git: Pick<GitService, "diffFiles" | "diffPatch" | "getHead" | "testMerge" | "merge">;
  emailOf: (actor: Actor) => Promise<string | null>;
  history: HistoryWriter;
  audit: Pick<SettingsService, "appendAudit">;
  events: Pick<Events, "append">;
  idempotency: Idempotency;
  transaction: RunInTransaction;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}): Reviewing {
  const { db, git, clock } = parts;
  const changeSets = createChangeSetStore(db);
  const anchors = createAnchors({ git });
  const drafts = createDraftStore(db);
  const basics = { ...parts, changeSets, writerIn: createChangeSetWriter, anchors };
  return {
    reviews: createReviews({
      ...basics,
      store: createReviewStore(db),
      reviewsIn: createReviewStore,
      commentsIn: createCommentStore,
      drafts,
      draftsIn: createDraftStore,
      mergesIn: createMergeStore,
    }),
    comments: createComments({
      ...basics,
      store: createCommentStore(db),
      commentsIn: createCommentStore,
    }),
    drafts: createDrafts({ changeSets, store: drafts, anchors, clock }),
    viewed: createViewedMarks({ changeSets, store: createViewedStore(db), git }),
    merges: createMerges({ ...basics, store: createMergeStore(db), mergesIn: createMergeStore }),
    history: createHistoryStore(db),
  };
}

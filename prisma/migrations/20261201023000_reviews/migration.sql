-- What people say of ChangeSets, what they have seen of them, and how ChangeSets are merged.
CREATE TYPE "review_verdict" AS ENUM ('approve', 'request_changes', 'reject', 'comment');
CREATE TYPE "comment_kind" AS ENUM ('blocking', 'question', 'nit', 'praise', 'note');
CREATE TYPE "diff_side" AS ENUM ('old', 'new');
CREATE TYPE "thread_state" AS ENUM ('open', 'resolved', 'wont_do');
CREATE TYPE "placement_status" AS ENUM ('same', 'moved', 'changed', 'line_gone', 'file_gone', 'whole');
CREATE TYPE "merge_outcome" AS ENUM ('merged', 'conflict', 'base_moved', 'failed');

CREATE INDEX "changesets_task_id_idx" ON "changesets"("task_id");

CREATE TABLE "reviews" (
    "id" UUID NOT NULL,
    "change_set_id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "verdict" "review_verdict" NOT NULL,
    "summary" TEXT NOT NULL,
    "state_after" "change_set_state" NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reviews_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "reviews_change_set_id_fkey" FOREIGN KEY ("change_set_id") REFERENCES "changesets"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "reviews_change_set_id_actor_id_idempotency_key_key" ON "reviews"("change_set_id", "actor_id", "idempotency_key");

CREATE TABLE "comment_threads" (
    "id" UUID NOT NULL,
    "change_set_id" UUID NOT NULL,
    "kind" "comment_kind" NOT NULL,
    "path" TEXT,
    "old_path" TEXT,
    "side" "diff_side",
    "start_line" INTEGER,
    "end_line" INTEGER,
    "lines" TEXT[] NOT NULL,
    "lines_before" TEXT[] NOT NULL,
    "lines_after" TEXT[] NOT NULL,
    "state" "thread_state" NOT NULL,
    "state_by_id" UUID,
    "state_by_kind" TEXT,
    "state_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "comment_threads_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "comment_threads_change_set_id_fkey" FOREIGN KEY ("change_set_id") REFERENCES "changesets"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "comment_threads_anchor_whole" CHECK (
        ("side" IS NULL) = ("start_line" IS NULL) AND ("side" IS NULL) = ("end_line" IS NULL)
        AND ("side" IS NULL OR ("path" IS NOT NULL AND "start_line" >= 1 AND "end_line" >= "start_line")))
);
CREATE INDEX "comment_threads_change_set_id_idx" ON "comment_threads"("change_set_id");

CREATE TABLE "comments" (
    "id" UUID NOT NULL,
    "thread_id" UUID NOT NULL,
    "review_id" UUID,
    "actor_id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "position" BIGSERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "comments_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "comments_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "comment_threads"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "comments_review_id_fkey" FOREIGN KEY ("review_id") REFERENCES "reviews"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "comments_position_key" ON "comments"("position");
CREATE UNIQUE INDEX "comments_actor_id_idempotency_key_key" ON "comments"("actor_id", "idempotency_key");
CREATE INDEX "comments_thread_id_idx" ON "comments"("thread_id");

-- Where the lines of a thread are in another head: follows from two commits, so it stays true.
CREATE TABLE "thread_placements" (
    "thread_id" UUID NOT NULL,
    "head_commit" TEXT NOT NULL,
    "status" "placement_status" NOT NULL,
    "path" TEXT,
    "start_line" INTEGER,
    "end_line" INTEGER,
    CONSTRAINT "thread_placements_pkey" PRIMARY KEY ("thread_id", "head_commit"),
    CONSTRAINT "thread_placements_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "comment_threads"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "review_drafts" (
    "id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "change_set_id" UUID NOT NULL,
    "target" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "review_drafts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "review_drafts_change_set_id_fkey" FOREIGN KEY ("change_set_id") REFERENCES "changesets"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "review_drafts_actor_id_change_set_id_idx" ON "review_drafts"("actor_id", "change_set_id");

-- What somebody has looked at: a path of a series with the contents that were shown.
CREATE TABLE "viewed_files" (
    "actor_id" UUID NOT NULL,
    "series_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "old_object_id" TEXT NOT NULL,
    "new_object_id" TEXT NOT NULL,
    CONSTRAINT "viewed_files_pkey" PRIMARY KEY ("actor_id", "series_id", "path")
);

-- One merge: written before git is asked, so that whoever finds it unfinished can finish it.
CREATE TABLE "merges" (
    "id" UUID NOT NULL,
    "change_set_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "branch" TEXT NOT NULL,
    "expected_base" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" "merge_outcome",
    "commit" TEXT,
    "files" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "detail" TEXT,
    "finished_at" TIMESTAMPTZ(3),
    CONSTRAINT "merges_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "merges_change_set_id_fkey" FOREIGN KEY ("change_set_id") REFERENCES "changesets"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "merges_finished_whole" CHECK (("outcome" IS NULL) = ("finished_at" IS NULL) AND ("outcome" IS NOT DISTINCT FROM 'merged') = ("commit" IS NOT NULL))
);
CREATE INDEX "merges_change_set_id_idx" ON "merges"("change_set_id");
-- Of the attempts at a Task one at a time is merged, so that the others can be put aside before the next begins.
CREATE UNIQUE INDEX "merges_one_under_way_per_task" ON "merges"("task_id") WHERE "outcome" IS NULL;

-- What happened to a series, in order. Rows are only added.
CREATE TABLE "change_set_entries" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "series_id" UUID NOT NULL,
    "change_set_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" UUID,
    "actor_kind" TEXT,
    "actor_name" TEXT,
    "what" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    CONSTRAINT "change_set_entries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "change_set_entries_change_set_id_fkey" FOREIGN KEY ("change_set_id") REFERENCES "changesets"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "change_set_entries_actor_whole" CHECK (("actor_id" IS NULL) = ("actor_kind" IS NULL) AND ("actor_id" IS NULL) = ("actor_name" IS NULL))
);
CREATE UNIQUE INDEX "change_set_entries_position_key" ON "change_set_entries"("position");
CREATE INDEX "change_set_entries_series_id_position_idx" ON "change_set_entries"("series_id", "position");

INSERT INTO "change_set_entries" ("id", "series_id", "change_set_id", "version", "at", "what", "data")
SELECT gen_random_uuid(), "series_id", "id", "version", "created_at", 'proposed', jsonb_build_object('runId', "run_id")
FROM "changesets" ORDER BY "created_at", "id";

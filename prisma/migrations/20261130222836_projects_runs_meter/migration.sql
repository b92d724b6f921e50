-- CreateEnum
CREATE TYPE "change_set_state" AS ENUM ('proposed', 'changes_requested', 'rejected', 'approved', 'mergeable', 'merged', 'merge_failed', 'withdrawn', 'superseded', 'not_chosen');

-- CreateEnum
CREATE TYPE "session_state" AS ENUM ('reserved', 'open', 'settled', 'released');

-- CreateEnum
CREATE TYPE "project_state" AS ENUM ('importing', 'ready', 'failed', 'archived');

-- CreateEnum
CREATE TYPE "task_kind" AS ENUM ('design', 'review', 'document', 'implement', 'migrate', 'test');

-- CreateEnum
CREATE TYPE "run_state" AS ENUM ('opening', 'open', 'asleep', 'completing', 'proposed', 'no_changes', 'failed', 'closed');

-- CreateEnum
CREATE TYPE "run_end_kind" AS ENUM ('completed', 'fail_task', 'closed', 'stopped', 'lost', 'expired', 'archived');

-- CreateEnum
CREATE TYPE "command_state" AS ENUM ('running', 'exited', 'timed_out', 'interrupted');

-- CreateTable
CREATE TABLE "changesets" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "series_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "state" "change_set_state" NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "base_commit" TEXT NOT NULL,
    "head_commit" TEXT NOT NULL,
    "files_changed" INTEGER NOT NULL,
    "insertions" INTEGER NOT NULL,
    "deletions" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "changesets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "intents" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "refusal_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "project_id" UUID,
    "change_id" UUID,
    "data" JSONB NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" UUID,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_by" UUID,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "procedure" TEXT NOT NULL,
    "scope_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_counters" (
    "counter" TEXT NOT NULL,
    "month" CHAR(7) NOT NULL,
    "used_seconds" INTEGER NOT NULL DEFAULT 0,
    "reserved_seconds" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "usage_counters_pkey" PRIMARY KEY ("counter","month")
);

-- CreateTable
CREATE TABLE "workspace_sessions" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "state" "session_state" NOT NULL,
    "tail_seconds" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "wall_seconds" INTEGER,
    "charged_seconds" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspace_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_session_months" (
    "session_id" UUID NOT NULL,
    "month" CHAR(7) NOT NULL,
    "reserved_seconds" INTEGER NOT NULL,
    "charged_seconds" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "workspace_session_months_pkey" PRIMARY KEY ("session_id","month")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "default_branch" TEXT NOT NULL,
    "state" "project_state" NOT NULL,
    "import_url" TEXT,
    "state_detail" TEXT,
    "next_run_uid" INTEGER NOT NULL DEFAULT 10000,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "changes" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "max_active_sandboxes" INTEGER,
    "open_workspaces" INTEGER NOT NULL DEFAULT 0,
    "created_by_token_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" "task_kind" NOT NULL,
    "title" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "created_by_token_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "state" "run_state" NOT NULL,
    "state_deadline_at" TIMESTAMPTZ(3),
    "uid" INTEGER NOT NULL,
    "revises_change_set_id" UUID,
    "base_commit" TEXT,
    "result_commit" TEXT,
    "result_tree" TEXT,
    "runtime_id" TEXT,
    "runtime" TEXT,
    "image_digest" TEXT,
    "proposal_title" TEXT,
    "proposal_summary" TEXT,
    "restore_count" INTEGER NOT NULL DEFAULT 0,
    "next_event_seq" INTEGER NOT NULL DEFAULT 1,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_kind" "run_end_kind",
    "end_reason" TEXT,
    "fork_removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "commands" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "argv" TEXT[],
    "state" "command_state" NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "is_exclusive" BOOLEAN NOT NULL,
    "exit_code" INTEGER,
    "signal" TEXT,
    "reason" TEXT,
    "message" TEXT,
    "duration_ms" INTEGER,
    "stdout_bytes" BIGINT NOT NULL DEFAULT 0,
    "stderr_bytes" BIGINT NOT NULL DEFAULT 0,
    "stdout_kept_bytes" INTEGER NOT NULL DEFAULT 0,
    "stderr_kept_bytes" INTEGER NOT NULL DEFAULT 0,
    "stdout_tail" BYTEA,
    "stderr_tail" BYTEA,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "commands_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "command_output" (
    "command_id" UUID NOT NULL,
    "stream" SMALLINT NOT NULL,
    "offset" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "command_output_pkey" PRIMARY KEY ("command_id","stream","offset")
);

-- CreateTable
CREATE TABLE "blobs" (
    "sha256" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "file_states" (
    "run_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "sha256" TEXT,
    "mode" INTEGER,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "file_states_pkey" PRIMARY KEY ("run_id","path")
);

-- CreateIndex
CREATE UNIQUE INDEX "changesets_run_id_key" ON "changesets"("run_id");

-- CreateIndex
CREATE INDEX "changesets_project_id_created_at_id_idx" ON "changesets"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "changesets_change_id_created_at_id_idx" ON "changesets"("change_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "changesets_series_id_version_key" ON "changesets"("series_id", "version");

-- CreateIndex
CREATE INDEX "intents_change_id_created_at_id_idx" ON "intents"("change_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "intents_project_id_created_at_id_idx" ON "intents"("project_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "events_position_key" ON "events"("position");

-- CreateIndex
CREATE INDEX "events_project_id_position_idx" ON "events"("project_id", "position");

-- CreateIndex
CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries"("at", "id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_keys_token_id_procedure_scope_id_key_key" ON "idempotency_keys"("token_id", "procedure", "scope_id", "key");

-- CreateIndex
CREATE INDEX "workspace_sessions_run_id_idx" ON "workspace_sessions"("run_id");

-- CreateIndex
CREATE INDEX "workspace_sessions_created_at_id_idx" ON "workspace_sessions"("created_at", "id");

-- CreateIndex
CREATE INDEX "projects_created_at_id_idx" ON "projects"("created_at", "id");

-- CreateIndex
CREATE INDEX "changes_project_id_created_at_id_idx" ON "changes"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_change_id_created_at_id_idx" ON "tasks"("change_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "runs_change_id_state_idx" ON "runs"("change_id", "state");

-- CreateIndex
CREATE INDEX "runs_project_id_state_idx" ON "runs"("project_id", "state");

-- CreateIndex
CREATE INDEX "runs_state_last_activity_at_idx" ON "runs"("state", "last_activity_at");

-- CreateIndex
CREATE INDEX "commands_run_id_started_at_idx" ON "commands"("run_id", "started_at");

-- AddForeignKey
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changesets" ADD CONSTRAINT "changesets_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changesets" ADD CONSTRAINT "changesets_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intents" ADD CONSTRAINT "intents_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_session_months" ADD CONSTRAINT "workspace_session_months_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "workspace_sessions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changes" ADD CONSTRAINT "changes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commands" ADD CONSTRAINT "commands_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "command_output" ADD CONSTRAINT "command_output_command_id_fkey" FOREIGN KEY ("command_id") REFERENCES "commands"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_states" ADD CONSTRAINT "file_states_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_states" ADD CONSTRAINT "file_states_sha256_fkey" FOREIGN KEY ("sha256") REFERENCES "blobs"("sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The rules that hold whatever the code does.
ALTER TABLE "changes" ADD CONSTRAINT "changes_slots" CHECK ("open_workspaces" >= 0);
ALTER TABLE "changes" ADD CONSTRAINT "changes_max" CHECK ("max_active_sandboxes" IS NULL OR "max_active_sandboxes" >= 1);

ALTER TABLE "usage_counters" ADD CONSTRAINT "usage_counters_not_negative" CHECK ("used_seconds" >= 0 AND "reserved_seconds" >= 0);
ALTER TABLE "usage_counters" ADD CONSTRAINT "usage_counters_month" CHECK ("month" ~ '^[0-9]{4}-(0[1-9]|1[0-2])$');
ALTER TABLE "workspace_session_months" ADD CONSTRAINT "session_months_not_negative" CHECK ("reserved_seconds" >= 0 AND "charged_seconds" >= 0);

-- One open session a Run. One settlement a session, since its row settles once.
CREATE UNIQUE INDEX "workspace_sessions_one_open" ON "workspace_sessions" ("run_id") WHERE "state" IN ('reserved', 'open');
ALTER TABLE "workspace_sessions" ADD CONSTRAINT "workspace_sessions_settled" CHECK (
  ("state" = 'settled') = ("charged_seconds" IS NOT NULL) AND ("charged_seconds" IS NULL OR "charged_seconds" >= 0)
);

-- One bun command at a time in a Run.
CREATE UNIQUE INDEX "commands_one_exclusive" ON "commands" ("run_id") WHERE "is_exclusive" AND "state" = 'running';

-- A uid is one Run's in its Project, for good.
CREATE UNIQUE INDEX "runs_uid" ON "runs" ("project_id", "uid");
ALTER TABLE "runs" ADD CONSTRAINT "runs_uid_range" CHECK ("uid" BETWEEN 10000 AND 59999);
ALTER TABLE "runs" ADD CONSTRAINT "runs_end" CHECK (
  ("state" IN ('proposed', 'no_changes', 'failed', 'closed')) = ("ended_at" IS NOT NULL)
);

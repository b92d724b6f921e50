-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "beat" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "owner_id" UUID NOT NULL;

-- AlterTable
ALTER TABLE "workspace_sessions" ADD COLUMN     "last_seen_at" TIMESTAMPTZ(3) NOT NULL;

-- A session is charged no more wall time and tail than it was reserved, and never a negative one.
ALTER TABLE "workspace_sessions" ADD CONSTRAINT "workspace_sessions_wall" CHECK ("wall_seconds" IS NULL OR "wall_seconds" >= 0);
ALTER TABLE "workspace_sessions" ADD CONSTRAINT "workspace_sessions_tail" CHECK ("tail_seconds" >= 0);

-- The cap's row always stands, so that whoever reserves can hold it while it counts. Null: the environment decides.
INSERT INTO "settings" ("key", "value", "updated_at") VALUES ('sandbox_monthly_seconds', 'null', CURRENT_TIMESTAMP);

-- CreateEnum
CREATE TYPE "role" AS ENUM ('admin', 'reviewer', 'agent');

-- CreateTable
CREATE TABLE "tokens" (
    "id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "label" TEXT NOT NULL,
    "project_id" UUID,
    "change_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens"("hash");

-- CreateIndex
CREATE INDEX "tokens_created_at_id_idx" ON "tokens"("created_at", "id");

-- A token that is bound to a Project is an agent's, and an agent's token is always bound to one.
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_agent_has_project" CHECK (("role" = 'agent') = ("project_id" IS NOT NULL));
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_change_needs_project" CHECK ("change_id" IS NULL OR "project_id" IS NOT NULL);

-- Numbers the allowlists that egress is given, which refuses one that is older than what it has.
CREATE SEQUENCE "egress_policy_version" AS BIGINT;

-- People who sign in with e-mail and password, how they came in, and their sessions.
CREATE TYPE "person_role" AS ENUM ('admin', 'reviewer');

CREATE TABLE "people" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT NOT NULL,
    "image" TEXT,
    "role" "person_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    CONSTRAINT "people_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "people_email_lower" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "people_email_key" ON "people"("email");
CREATE INDEX "people_created_at_id_idx" ON "people"("created_at", "id");

CREATE TABLE "sign_in_sessions" (
    "id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sign_in_sessions_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sign_in_sessions_token_key" ON "sign_in_sessions"("token");
CREATE INDEX "sign_in_sessions_person_id_idx" ON "sign_in_sessions"("person_id");

CREATE TABLE "credentials" (
    "id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "password" TEXT,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credentials_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "credentials_provider_id_account_id_key" ON "credentials"("provider_id", "account_id");
CREATE INDEX "credentials_person_id_idx" ON "credentials"("person_id");

CREATE TABLE "sign_in_verifications" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_verifications_pkey" PRIMARY KEY ("id")
);

CREATE TYPE "invitation_kind" AS ENUM ('first_admin', 'invited');

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "kind" "invitation_kind" NOT NULL,
    "email" TEXT,
    "role" "person_role" NOT NULL,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitations_email_lower" CHECK ("email" = lower("email")),
    CONSTRAINT "invitations_invited_has_email" CHECK ("kind" <> 'invited' OR "email" IS NOT NULL)
);
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations"("hash");
CREATE INDEX "invitations_created_at_id_idx" ON "invitations"("created_at", "id");

-- Who acted, by kind and by the name that was theirs then.
ALTER TABLE "audit_entries" ADD COLUMN "actor_kind" TEXT;
ALTER TABLE "audit_entries" ADD COLUMN "actor_name" TEXT;
UPDATE "audit_entries" SET "actor_kind" = 'token', "actor_name" = 'token ' || left("actor_id"::text, 8) WHERE "actor_id" IS NOT NULL;
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_actor_whole"
    CHECK (("actor_id" IS NULL) = ("actor_kind" IS NULL) AND ("actor_id" IS NULL) = ("actor_name" IS NULL));
CREATE INDEX "audit_entries_subject_at_idx" ON "audit_entries"("subject", "at", "id");

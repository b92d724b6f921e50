-- When each Sandbox came and went, so that what went away has a time and a cause after sandboxd has forgotten it.
CREATE TABLE "sandbox_lives" (
    "runtime_id" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,
    "end_detail" TEXT,
    CONSTRAINT "sandbox_lives_pkey" PRIMARY KEY ("runtime_id"),
    CONSTRAINT "sandbox_lives_end_has_reason" CHECK (("ended_at" IS NULL) = ("end_reason" IS NULL))
);
CREATE INDEX "sandbox_lives_open" ON "sandbox_lives" ("runtime_id") WHERE "ended_at" IS NULL;

-- The session that meters a Run while it is awake or waking.
ALTER TABLE "runs" ADD COLUMN "session_id" UUID;

-- Who follows a running command, and until when nobody else need. A follower that died is replaced after that.
ALTER TABLE "commands" ADD COLUMN "followed_until" TIMESTAMPTZ(3);
CREATE INDEX "commands_running" ON "commands" ("followed_until") WHERE "state" = 'running';

-- When somebody was last seen, to within a few minutes.
ALTER TABLE "people" ADD COLUMN "last_seen_at" TIMESTAMPTZ(3);
-- Addresses on the network can be forged by whoever sends them, so they are no longer kept.
UPDATE "sign_in_sessions" SET "ip_address" = NULL;

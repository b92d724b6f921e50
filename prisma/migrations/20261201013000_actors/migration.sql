-- People who signed in act beside tokens: what an act is noted under is an actor of either kind.
ALTER TABLE "changes" RENAME COLUMN "created_by_token_id" TO "created_by_id";
ALTER TABLE "tasks" RENAME COLUMN "created_by_token_id" TO "created_by_id";
ALTER TABLE "runs" RENAME COLUMN "token_id" TO "actor_id";
ALTER TABLE "intents" RENAME COLUMN "token_id" TO "actor_id";
ALTER TABLE "idempotency_keys" RENAME COLUMN "token_id" TO "actor_id";
ALTER INDEX IF EXISTS "idempotency_keys_token_id_procedure_scope_id_key_key" RENAME TO "idempotency_keys_actor_id_procedure_scope_id_key_key";

-- Hosts that admins put on the allowlist beside those of the environment.
CREATE TABLE "egress_hosts" (
    "host" TEXT NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    CONSTRAINT "egress_hosts_pkey" PRIMARY KEY ("host"),
    CONSTRAINT "egress_hosts_host_lower" CHECK ("host" = lower("host"))
);

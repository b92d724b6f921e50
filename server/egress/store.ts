import type { Actor } from "../access/types";
import type { Db, DbOrTransaction } from "../platform/db";

/** A host that an admin put on the allowlist. */
export interface AllowedHost {
  host: string;
  addedAt: Date;
  addedBy: Actor;
}

/** The hosts that admins put on the allowlist. */
export interface AllowedHostStore {
  /** By name. */
  list(): Promise<AllowedHost[]>;
  /** False when it is there already; nothing is changed then. */
  add(host: AllowedHost): Promise<boolean>;
  /** False when it is not there. */
  remove(host: string): Promise<boolean>;
}

export function createAllowedHostStore(db: DbOrTransaction): AllowedHostStore {
  return {
    list: async () => {
      const rows = await db.egressHost.findMany({ orderBy: { host: "asc" } });
      return rows.map(({ host, addedAt, actorId, actorKind, actorName }) => ({
        host,
        addedAt,
        addedBy: { id: actorId, kind: actorKind === "person" ? "person" : "token", name: actorName },
      }));
    },
    add: async ({ host, addedAt, addedBy }) => {
      const { count } = await db.egressHost.createMany({
        data: {
          host,
          addedAt,
          actorId: addedBy.id,
          actorKind: addedBy.kind,
          actorName: addedBy.name,
        },
        skipDuplicates: true,
      });
      return count === 1;
    },
    remove: async (host) => (await db.egressHost.deleteMany({ where: { host } })).count === 1,
  };
}

/** Numbers policies. Every number is given once, across all processes and restarts. */
export interface PolicyVersions {
  next(): Promise<number>;
  /** Makes every later number higher than `version`: egress knows a policy from before this database. */
  raiseAbove(version: number): Promise<void>;
}

export function createPolicyVersions(db: Db): PolicyVersions {
  return {
    next: async () => {
      const rows = await db.$queryRaw<
        { version: bigint }[]
      >`SELECT nextval('egress_policy_version') AS version`;
      return Number(rows[0]?.version);
    },
    raiseAbove: async (version) => {
      await db.$queryRaw`
        SELECT setval('egress_policy_version', greatest(${version}::bigint, nextval('egress_policy_version')))`;
    },
  };
}

import type { Db } from "../platform/db";

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

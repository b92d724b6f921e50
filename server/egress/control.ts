import type { Policy } from "./schema";

/** What became of a pushed policy. `stale` names the version that egress has already. */
export type PushResult = { status: "accepted" } | { status: "stale"; version: number };

/** The port to the egress proxy's control side. Errors: throws when it cannot be reached or refuses the signature. */
export interface EgressControl {
  push(policy: Policy): Promise<PushResult>;
}

import type { RefusalFilter } from "./decisions";
import type { Policy } from "./schema";
import type { Decision, RefusalReason } from "./types";

/** What became of a pushed policy. `stale` names the version that egress has already. */
export type PushResult = { status: "accepted" } | { status: "stale"; version: number };

/** What web reads of a refusal. */
export interface RefusedDecision extends Pick<Decision, "at" | "sandboxId" | "host" | "port" | "proxyUser"> {
  reason: RefusalReason;
}

/** The port to the egress proxy's control side. Errors: throws when it cannot be reached or refuses the signature. */
export interface EgressControl {
  push(policy: Policy): Promise<PushResult>;
  /** What egress refused lately, newest first. Gives up after `timeoutMs`. */
  listRefused(filter: RefusalFilter, timeoutMs: number): Promise<RefusedDecision[]>;
}

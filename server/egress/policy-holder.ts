import { describeError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import { compilePolicy, type PolicyInForce } from "./policy";
import type { PolicyStore } from "./policy-store";
import type { Policy } from "./schema";

export type OfferResult = { status: "in_force"; version: number } | { status: "stale"; version: number };

/** Holds the policy in force. Versions only grow; a policy is in force when it is on disk, and not before. */
export interface PolicyHolder {
  current(): PolicyInForce | null;
  /** Why there is none, or that there is one, in words. */
  describe(): string;
  /**
   * Puts a newer policy in force. The one in force offered again changes nothing; an older one, or another one under the
   * same version, is `stale`. Offers are taken one after the other.
   */
  offer(policy: Policy): Promise<OfferResult>;
}

/** Starts with the policy that the store kept. One that cannot be read counts as none: everything is refused. */
export async function createPolicyHolder(deps: {
  store: PolicyStore;
  logger: Logger;
}): Promise<PolicyHolder> {
  const loaded = await deps.store.load();
  let held: { policy: Policy; compiled: PolicyInForce } | null =
    loaded.status === "found" ? { policy: loaded.policy, compiled: compilePolicy(loaded.policy) } : null;
  if (loaded.status === "unreadable")
    deps.logger.error({ err: loaded.cause }, "the kept policy cannot be read");
  const absence =
    loaded.status === "unreadable"
      ? `The kept allowlist cannot be read (${describeError(loaded.cause)})`
      : "No allowlist has arrived yet";
  let last: Promise<unknown> = Promise.resolve();

  const take = async (policy: Policy): Promise<OfferResult> => {
    if (held !== null) {
      const isSame = JSON.stringify(held.policy) === JSON.stringify(policy);
      if (isSame) return { status: "in_force", version: policy.version };
      if (policy.version <= held.policy.version) return { status: "stale", version: held.policy.version };
    }
    await deps.store.save(policy);
    held = { policy, compiled: compilePolicy(policy) };
    deps.logger.info({ version: policy.version }, "policy in force");
    return { status: "in_force", version: policy.version };
  };

  return {
    current: () => held?.compiled ?? null,
    describe: () =>
      held === null
        ? `${absence}: every request is refused until web has pushed one.`
        : `Version ${held.policy.version} of the allowlist is in force.`,
    offer: (policy) => {
      const next = last.then(() => take(policy));
      last = next.catch(() => {});
      return next;
    },
  };
}

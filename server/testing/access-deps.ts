import type { AccessDeps } from "../access/service";
import type { TokenStore } from "../access/store";
import type { Clock } from "../platform/clock";
import type { Transaction } from "../platform/db";
import { createFailureLimit } from "../platform/failure-limit";
import type { Ids } from "../platform/ids";

/** What access needs around a store, where neither transactions nor the audit log are looked at. */
export function accessDeps(deps: { store: TokenStore; clock: Clock; ids: Ids }): AccessDeps {
  return {
    ...deps,
    storeIn: () => deps.store,
    transaction: (work) => work({} as Transaction),
    noteAct: () => Promise.resolve(),
    wrongTokens: createFailureLimit({ clock: deps.clock, failuresMax: 300, windowMs: 60_000 }),
  };
}

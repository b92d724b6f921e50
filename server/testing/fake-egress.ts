import type { ApiDeps } from "../api/context";
import { createAllowlist } from "../egress/allowlist";
import type { AllowedHost, AllowedHostStore } from "../egress/store";
import type { Clock } from "../platform/clock";
import type { Transaction } from "../platform/db";
import { createSilentLogger } from "../platform/logger";

/** An allowlist in memory, with one host of the environment, and an egress that refused nothing. */
export function createFakeEgress({ clock }: { clock: Clock }): Pick<ApiDeps, "allowlist" | "refusals"> {
  const store = createFakeAllowedHosts();
  return {
    allowlist: createAllowlist({
      environment: [{ host: "registry.example", address: null }],
      store,
      storeIn: () => store,
      transaction: (work) => work({} as Transaction),
      noteAct: () => Promise.resolve(),
      publish: () => Promise.resolve(),
      clock,
      logger: createSilentLogger(),
    }),
    refusals: { recent: () => Promise.resolve([]) },
  };
}

export function createFakeAllowedHosts(): AllowedHostStore {
  const hosts = new Map<string, AllowedHost>();
  return {
    list: () => Promise.resolve([...hosts.values()].sort((left, right) => (left.host < right.host ? -1 : 1))),
    add: (entry) => {
      const isNew = !hosts.has(entry.host);
      if (isNew) hosts.set(entry.host, entry);
      return Promise.resolve(isNew);
    },
    remove: (host) => Promise.resolve(hosts.delete(host)),
  };
}

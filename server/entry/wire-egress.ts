import { createAllowlist, type Allowlist } from "../egress/allowlist";
import type { EgressControl } from "../egress/control";
import { createEgressControl } from "../egress/control-http";
import { createEgressPublisher, type EgressPublisher } from "../egress/publisher";
import { createRefusals, type Refusals } from "../egress/refusals";
import { createAllowedHostStore, createPolicyVersions } from "../egress/store";
import { createTransactions } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { SettingsService } from "../settings/service";
import type { Parts } from "./wire-parts";

/** Web's side of egress: what may be reached, told again and again, and what was refused. */
export interface Egress {
  publisher: EgressPublisher;
  allowlist: Allowlist;
  refusals: Refusals;
}

/** The allowlist, its publisher, and the list of refusals. Nothing is told before the publisher starts. */
export function wireEgress(parts: Parts, audit: SettingsService): Egress {
  const { settings, environment, db, signer, sandboxes, clock, logger } = parts;
  const control: EgressControl = createEgressControl({ baseUrl: environment.EGRESS_CONTROL_URL, signer });
  const allowlist = createAllowlist({
    environment: settings.EGRESS_ALLOWLIST,
    store: createAllowedHostStore(db),
    storeIn: createAllowedHostStore,
    transaction: createTransactions(db),
    noteAct: (tx, act) => audit.appendAudit(tx, act),
    publish: () => publisher.publish(),
    clock,
    logger,
  });
  const publisher = createEgressPublisher({
    sandboxes,
    control,
    versions: createPolicyVersions(db),
    listAllowed: async () =>
      (await allowlist.list()).map((entry) => ({
        host: entry.host,
        address: entry.source === "environment" ? entry.address : null,
      })),
    hostAddresses: settings.HOST_ADDRESSES,
    clock,
    logger,
  });
  return { publisher, allowlist, refusals: createRefusals({ control, allowlist, logger }) };
}

/** A Sandbox that egress does not know could install nothing, so an open that cannot be published is one that broke. */
export async function publishOrExplain(publisher: EgressPublisher): Promise<void> {
  try {
    await publisher.publish();
  } catch (cause) {
    const message =
      "The egress proxy could not be told of the Sandbox. An operator finds the reason with `npm run stack:status`.";
    throw new DomainError("sandbox.start_failed", message, {}, { cause });
  }
}

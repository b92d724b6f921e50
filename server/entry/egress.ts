import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { z } from "zod";
import { createEgressRoutes, egressHealth } from "../egress/control-routes";
import { createDecisionLog } from "../egress/decisions";
import { connectByTcp } from "../egress/dial";
import { createPolicyHolder } from "../egress/policy-holder";
import { createDiskPolicyStore } from "../egress/policy-store";
import { createEgressProxy, proxyLimits } from "../egress/proxy";
import { resolveBySystem } from "../egress/resolver";
import { createSystemClock } from "../platform/clock";
import { parseEnvironment } from "../platform/config";
import { createControlServer } from "../platform/control-server";
import { createLogger } from "../platform/logger";
import { findOrdinaryNetwork } from "../platform/ordinary-network";
import { createServiceTokenVerifier } from "../platform/service-token";
import { publicJwkSchema } from "../platform/service-key";

const proxyPort = 3128;
const controlPort = 3129;
const decisionsKeptMax = 4_000;

/** Runs the egress proxy until SIGTERM. */
async function main(): Promise<void> {
  const env = parseEnvironment(
    z.object({ SERVICE_PUBLIC_KEY: publicJwkSchema, STATE_DIR: z.string() }),
    process.env,
  );
  const network = findOrdinaryNetwork(networkInterfaces(), readFileSync("/proc/net/route", "utf8"));
  if (network === null)
    throw new Error("No single ordinary network was found: its control port cannot be placed.");
  const clock = createSystemClock();
  const logger = createLogger("egress");
  const policies = await createPolicyHolder({ store: createDiskPolicyStore(env.STATE_DIR), logger });
  const decisions = createDecisionLog({ clock, logger, keptMax: decisionsKeptMax });
  const proxy = createEgressProxy({
    clock,
    policy: () => policies.current(),
    resolve: resolveBySystem,
    connect: connectByTcp,
    decisions,
    limits: proxyLimits,
  });
  const control = createControlServer({
    network,
    health: () => Promise.resolve(egressHealth({ policies, connectionCount: () => proxy.connectionCount })),
    routes: createEgressRoutes({
      verifier: await createServiceTokenVerifier(env.SERVICE_PUBLIC_KEY, clock),
      policies,
      decisions,
    }),
    logger,
  });
  await control.listen(controlPort);
  await proxy.listen(proxyPort, "0.0.0.0");
  logger.info({ proxyPort, controlPort, network, policy: policies.describe() }, "listening");

  process.once("SIGTERM", () => {
    void Promise.all([proxy.close(), control.close()]).then(() => process.exit(0));
  });
}

await main();

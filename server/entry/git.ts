import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { z } from "zod";
import { resolveBySystem } from "../egress/resolver";
import { createGitServer } from "../git/git-server";
import { readInstalledGitVersion } from "../git/git-version";
import { checkGitHealth } from "../git/health";
import { importLimits } from "../git/imports";
import { doorLimits } from "../git/smart-http";
import { upkeepLimits } from "../git/upkeep";
import { createSystemClock } from "../platform/clock";
import { addressList, hostList, parseEnvironment } from "../platform/config";
import { createControlServer } from "../platform/control-server";
import { createSystemIds } from "../platform/ids";
import { createLogger } from "../platform/logger";
import { findOrdinaryNetwork } from "../platform/ordinary-network";
import { createServiceTokenVerifier } from "../platform/service-token";
import { publicJwkSchema } from "../platform/service-key";

const doorPort = 8080;
const controlPort = 8081;

/** Runs the git service until SIGTERM. */
async function main(): Promise<void> {
  const env = parseEnvironment(
    z.object({
      SERVICE_PUBLIC_KEY: publicJwkSchema,
      REPOSITORIES_DIR: z.string(),
      IMPORT_ALLOWED_HOSTS: hostList,
      HOST_ADDRESSES: addressList,
    }),
    process.env,
  );
  const network = findOrdinaryNetwork(networkInterfaces(), readFileSync("/proc/net/route", "utf8"));
  if (network === null)
    throw new Error("No single ordinary network was found: its control port cannot be placed.");
  const logger = createLogger("git");
  const clock = createSystemClock();
  const service = createGitServer({
    repositoriesDirectory: env.REPOSITORIES_DIR,
    verifier: await createServiceTokenVerifier(env.SERVICE_PUBLIC_KEY, clock),
    clock,
    ids: createSystemIds(),
    logger,
    resolve: resolveBySystem,
    importAllowedHosts: env.IMPORT_ALLOWED_HOSTS,
    hostAddresses: env.HOST_ADDRESSES,
    doorLimits,
    importLimits,
    upkeepLimits,
  });
  await service.recover();
  const control = createControlServer({
    network,
    health: () =>
      checkGitHealth({
        repositoriesDirectory: env.REPOSITORIES_DIR,
        readGitVersion: readInstalledGitVersion,
      }),
    routes: service.routes,
    logger,
  });
  await control.listen(controlPort);
  await new Promise<void>((resolve, reject) => {
    service.door.once("error", reject);
    service.door.listen(doorPort, "0.0.0.0", resolve);
  });
  logger.info({ doorPort, controlPort, network }, "listening");

  process.once("SIGTERM", () => {
    service.door.closeAllConnections();
    service.door.close();
    void Promise.all([control.close(), service.close()]).then(() => process.exit(0));
  });
}

await main();

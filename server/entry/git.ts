import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { z } from "zod";
import { readInstalledGitVersion } from "../git/git-version";
import { checkGitHealth } from "../git/health";
import { createRepositoryDoor } from "../git/repository-door";
import { createSystemClock } from "../platform/clock";
import { parseEnvironment } from "../platform/config";
import { createControlServer } from "../platform/control-server";
import { createLogger } from "../platform/logger";
import { findOrdinaryNetwork } from "../platform/ordinary-network";
import { createServiceTokenVerifier } from "../platform/service-token";
import { publicJwkSchema } from "../platform/service-key";

const doorPort = 8080;
const controlPort = 8081;

/** Runs the git service until SIGTERM. */
async function main(): Promise<void> {
  const env = parseEnvironment(
    z.object({ SERVICE_PUBLIC_KEY: publicJwkSchema, REPOSITORIES_DIR: z.string() }),
    process.env,
  );
  const network = findOrdinaryNetwork(networkInterfaces(), readFileSync("/proc/net/route", "utf8"));
  if (network === null)
    throw new Error("No single ordinary network was found: its control port cannot be placed.");
  const logger = createLogger("git");
  const door = createRepositoryDoor({
    verifier: await createServiceTokenVerifier(env.SERVICE_PUBLIC_KEY, createSystemClock()),
  });
  const control = createControlServer({
    network,
    health: () =>
      checkGitHealth({
        repositoriesDirectory: env.REPOSITORIES_DIR,
        readGitVersion: readInstalledGitVersion,
      }),
    routes: {},
    logger,
  });
  await control.listen(controlPort);
  await new Promise<void>((resolve, reject) => {
    door.once("error", reject);
    door.listen(doorPort, "0.0.0.0", resolve);
  });
  logger.info({ doorPort, controlPort, network }, "listening");

  process.once("SIGTERM", () => {
    door.closeAllConnections();
    door.close();
    void control.close().then(() => process.exit(0));
  });
}

await main();

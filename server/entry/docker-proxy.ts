import { chmodSync, rmSync } from "node:fs";
import { z } from "zod";
import { createDockerProxy } from "../docker-proxy/server";
import { parseEnvironment, parseSettings } from "../platform/config";
import { createLogger } from "../platform/logger";

const environment = parseEnvironment(
  z.object({
    DOCKER_SOCKET: z.string().default("/var/run/docker.sock"),
    DOCKER_PROXY_SOCKET: z.string(),
    RHUMBATRON_INSTANCE: z.uuid(),
    RHUMBATRON_INSTANCE_SUFFIX: z
      .string()
      .regex(/^([0-9a-f]{8})?$/)
      .default(""),
  }),
  process.env,
);
const logger = createLogger("docker-proxy");
const server = createDockerProxy({
  engineSocket: environment.DOCKER_SOCKET,
  settings: parseSettings(process.env),
  instance: { id: environment.RHUMBATRON_INSTANCE, suffix: environment.RHUMBATRON_INSTANCE_SUFFIX },
  logger,
});

const socketPath = environment.DOCKER_PROXY_SOCKET;
rmSync(socketPath, { force: true });
server.listen(socketPath, () => {
  chmodSync(socketPath, 0o600);
  logger.info({ socketPath, engineSocket: environment.DOCKER_SOCKET }, "listening");
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    process.exit(0);
  });
}

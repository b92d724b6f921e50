import { chmodSync, rmSync } from "node:fs";
import { z } from "zod";
import { createSystemClock } from "../platform/clock";
import { parseEnvironment, parseSettings } from "../platform/config";
import { createSystemIds } from "../platform/ids";
import { createLogger } from "../platform/logger";
import { createDockerEngine } from "../sandboxd/engine-docker";
import { listHostSubnets } from "../sandboxd/host-subnets";
import { createSandboxdServer } from "../sandboxd/http-server";
import { createSandboxd } from "../sandboxd/sandboxd";
import { createSupervisorClient } from "../sandboxd/supervisor-client";

const environment = parseEnvironment(
  z.object({
    DOCKER_PROXY_SOCKET: z.string(),
    SANDBOXD_SOCKET: z.string(),
    RHUMBATRON_INSTANCE: z.uuid(),
    RHUMBATRON_INSTANCE_SUFFIX: z
      .string()
      .regex(/^([0-9a-f]{8})?$/)
      .default(""),
  }),
  process.env,
);
const instance = { id: environment.RHUMBATRON_INSTANCE, suffix: environment.RHUMBATRON_INSTANCE_SUFFIX };
const logger = createLogger("sandboxd");
const clock = createSystemClock();
const sandboxd = createSandboxd({
  engine: createDockerEngine({ socketPath: environment.DOCKER_PROXY_SOCKET, instance, clock, logger }),
  connect: (stream) => createSupervisorClient({ stream, clock, logger }),
  listHostSubnets,
  settings: parseSettings(process.env),
  instance,
  clock,
  ids: createSystemIds(),
  logger,
});
const server = createSandboxdServer({ ...sandboxd, logger });

const socketPath = environment.SANDBOXD_SOCKET;
rmSync(socketPath, { force: true });
server.http.listen(socketPath, () => {
  chmodSync(socketPath, 0o600);
  sandboxd.start();
  logger.info({ socketPath }, "listening");
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    sandboxd.stop();
    void server.stop().then(() => process.exit(0));
  });
}

import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Instance } from "../../server/platform/instance";
import {
  ensureInstance,
  ensurePassword,
  ensureServiceKey,
  prepareDataDir,
  writeWhole,
  type DataLayout,
} from "./data-dir";
import { OperatorError } from "./operator-error";
import { serviceFolders, serviceImageUser } from "./parts";
import { findRecordedProcess } from "./pid-record";
import { recordPathOf } from "./processes";
import type { Progress } from "./progress";
import type { StackConfig } from "./stack-config";
import { ensureEngineFor, ensureImages, nameInstance, prepareServiceFolder } from "./up";

/**
 * Prepares what docker-compose.yml needs and cannot make: the images of sandboxes and services, the keys, the folders,
 * and the file of its variables under DATA_DIR. Starts nothing. Answers the path of that file.
 */
export async function prepareCompose(config: StackConfig, progress: Progress): Promise<string> {
  const layout = prepareDataDir(config.dataDir);
  if (findRecordedProcess(recordPathOf(layout, "web")) !== null) {
    throw new OperatorError(
      `A stack:up instance runs in ${config.dataDir}: take it down with stack:down first, or set DATA_DIR to another folder.`,
    );
  }
  const engine = await ensureEngineFor(config, progress);
  await ensureImages(config, engine, progress);
  await ensureInstance(config.dataDir);
  const instance = await nameInstance(config, engine);
  for (const folder of Object.values(serviceFolders(config.dataDir)))
    prepareServiceFolder(folder, config.isRoot);
  mkdirSync(join(config.dataDir, "web"), { recursive: true, mode: 0o700 });
  const variables = await composeVariables({ config, layout, instance, engineSocketPath: engine.socketPath });
  const path = join(config.dataDir, "compose.env");
  await writeWhole(
    path,
    Object.entries(variables)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(""),
    0o600,
  );
  return path;
}

async function composeVariables(options: {
  config: StackConfig;
  layout: DataLayout;
  instance: Instance;
  engineSocketPath: string;
}): Promise<Record<string, string>> {
  const { config, layout, instance, engineSocketPath } = options;
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const service = config.isRoot ? serviceImageUser : { uid, gid };
  const names =
    instance.suffix === ""
      ? { dash: "", underscore: "" }
      : { dash: `-${instance.suffix}`, underscore: `_${instance.suffix}` };
  return {
    ...config.settingsEnv,
    RHUMBATRON_INSTANCE: instance.id,
    RHUMBATRON_INSTANCE_SUFFIX: instance.suffix,
    RHUMBATRON_DASH_SUFFIX: names.dash,
    RHUMBATRON_UNDERSCORE_SUFFIX: names.underscore,
    RHUMBATRON_UID: String(uid),
    RHUMBATRON_GID: String(gid),
    RHUMBATRON_SERVICE_USER: `${service.uid}:${service.gid}`,
    DOCKER_SOCKET: engineSocketPath,
    DOCKER_SOCKET_GID: String(existsSync(engineSocketPath) ? statSync(engineSocketPath).gid : gid),
    SERVICE_PUBLIC_KEY: JSON.stringify(await ensureServiceKey(layout)),
    DATABASE_PASSWORD: await ensurePassword(layout, "database-password"),
    COMPOSE_PROJECT_NAME: `rhumbatron${names.dash}`,
  };
}

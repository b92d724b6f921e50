import { chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { serviceContainerName, type Instance } from "../../server/platform/instance";
import { ensureBaseImage } from "./base-image";
import { buildCheckout } from "./build";
import {
  ensureInstance,
  ensureServiceKey,
  prepareDataDir,
  prepareSocketDir,
  removeEmptyFolders,
  saveInstance,
  type DataLayout,
} from "./data-dir";
import { listSocketPaths, type Engine } from "./engine";
import { ensureRunsc } from "./engine-runtime";
import { findImageId } from "./image-build";
import { chooseSuffix, listDefaultNameHolders } from "./instance-name";
import { acquireLock } from "./lock";
import { OperatorError } from "./operator-error";
import { ensureEngine } from "./own-engine";
import { ensureSandboxImage, ensureServiceImage, sandboxImageTag } from "./own-images";
import {
  planProcess,
  planService,
  processNames,
  serviceFolders,
  serviceImageUser,
  type StackPlan,
} from "./parts";
import { findRecordedProcess } from "./pid-record";
import { ensurePorts, findPorts, saveDashboardPort, type InternalPorts } from "./ports";
import { ensureEmbeddedPostgres, requireDatabase } from "./postgres";
import { describeSmallMemory, requireDiskSpace, requirePort } from "./preflight";
import { ensureProcess, recordPathOf, stopProcess } from "./processes";
import type { Progress } from "./progress";
import { ensureService, ensureServiceNetwork, findContainer } from "./services";
import { imageCacheDir, type StackConfig } from "./stack-config";
import { waitForProcess, waitForService, waitForWhole } from "./wait-for-parts";

const lockWaitMs = 20 * 60_000;

/**
 * Brings an installation up, or what is left of one: installs, builds and starts what is missing, starts anew what
 * has changed, and leaves the rest alone. When it answers, every part is healthy.
 */
export async function bringUp(config: StackConfig, progress: Progress): Promise<void> {
  requireDiskSpace(config.dataDir);
  const isFirst = !existsSync(config.dataDir);
  const layout = prepareDataDir(config.dataDir);
  const release = await acquireLock({
    path: layout.lockFile,
    waitMs: lockWaitMs,
    onWait: (pid) =>
      progress.note(`Another command (process ${pid}) is at work on this DATA_DIR; waiting for it`),
  });
  try {
    await requireDashboardPort(config, layout);
    const { DATABASE_URL: server } = config.settings;
    if (server !== undefined)
      await progress.step("Database of DATABASE_URL answers", () => requireDatabase(server));
    const small = describeSmallMemory(config.settings.SANDBOX_MEMORY_MB);
    if (small !== null) progress.note(small);

    const engine = await ensureEngineFor(config, progress);
    const build = await buildCheckout(progress);
    const images = await ensureImages(config, engine, progress);
    const instance = await nameInstance(config, engine);
    const ports = await ensurePorts(layout.portsFile, (name) =>
      isOwnPort({ name, layout, engine, instance }),
    );
    const databaseUrl = await ensureDatabase({ config, instance, ports, progress });
    const plan: StackPlan = {
      config,
      layout,
      instance,
      ports,
      socketDir: prepareSocketDir(instance),
      engineSocketPath: engine.socketPath,
      build,
      ...images,
      servicePublicKey: await ensureServiceKey(layout),
      databaseUrl,
    };
    await startServices(plan, engine, progress);
    await startProcesses(plan, progress);
    await progress.step("Waiting until every part is healthy", async (step) => {
      await waitForWhole({ layout, port: config.settings.PORT, step });
      step.name("Every part is healthy");
    });
  } catch (error) {
    // The folders of a first start that was refused hold nothing yet; what is not empty stays.
    release();
    if (isFirst) removeEmptyFolders(config.dataDir);
    throw error;
  } finally {
    release();
  }
}

/** An engine that can be used, with room for images, and with the runtime that the settings name. */
export async function ensureEngineFor(config: StackConfig, progress: Progress): Promise<Engine> {
  const engine = await ensureEngine({
    socketPaths: listSocketPaths(config.env),
    isRoot: config.isRoot,
    progress,
  });
  const { DockerRootDir } = (await engine.docker.info()) as { DockerRootDir?: string };
  // An engine in a virtual machine names a folder that this machine does not have.
  if (DockerRootDir !== undefined && existsSync(DockerRootDir)) requireDiskSpace(DockerRootDir);
  return config.settings.SANDBOX_RUNTIME === "runsc" ? ensureRunsc({ engine, progress }) : engine;
}

/** The images that the sandboxes and the services start from. The bundles must have been built. */
export async function ensureImages(
  config: StackConfig,
  { docker }: Engine,
  progress: Progress,
): Promise<Pick<StackPlan, "sandboxImageId" | "serviceImageId">> {
  const baseImageId = await ensureBaseImage({
    docker,
    progress,
    isRoot: config.isRoot,
    cacheDir: imageCacheDir(config),
  });
  const from = { docker, progress, baseImageId, extraCaCerts: config.extraCaCerts };
  const wanted = config.settings.SANDBOX_IMAGE;
  const sandboxImageId =
    wanted === sandboxImageTag ? await ensureSandboxImage(from) : await findImageId(docker, wanted);
  if (sandboxImageId === null) {
    throw new OperatorError(
      `The engine has no image ${wanted}: build or load it, or unset SANDBOX_IMAGE to use the one that is built here.`,
    );
  }
  return { sandboxImageId, serviceImageId: await ensureServiceImage(from) };
}

/** The instance with the names under which it lives on this engine. */
export async function nameInstance(config: StackConfig, { docker }: Engine): Promise<Instance> {
  const instance = await ensureInstance(config.dataDir);
  const named = chooseSuffix(instance, await listDefaultNameHolders(docker));
  if (named.suffix !== instance.suffix) await saveInstance(config.dataDir, named);
  return named;
}

async function ensureDatabase(options: {
  config: StackConfig;
  instance: Instance;
  ports: InternalPorts;
  progress: Progress;
}): Promise<string> {
  const { config, instance, ports, progress } = options;
  const given = config.settings.DATABASE_URL;
  if (given !== undefined) return given;
  return progress.step("PostgreSQL", async (step) => {
    const postgres = await ensureEmbeddedPostgres({
      dataDir: config.dataDir,
      instance,
      port: ports.postgres,
      isRoot: config.isRoot,
    });
    const version = /^\d+\.\d+/.exec(postgres.version)?.[0] ?? postgres.version;
    step.name(`PostgreSQL ${version} ${wordFor(postgres.outcome)}`);
    if (postgres.outcome !== "kept" && !postgres.home.startsWith(config.dataDir)) {
      progress.note(
        `PostgreSQL's user cannot enter ${config.dataDir}, so the database lies in ${postgres.home}`,
      );
    }
    return postgres.databaseUrl;
  });
}

async function startServices(plan: StackPlan, { docker }: Engine, progress: Progress): Promise<void> {
  const { instance, config } = plan;
  for (const folder of Object.values(serviceFolders(config.dataDir)))
    prepareServiceFolder(folder, config.isRoot);
  await ensureServiceNetwork(docker, instance);
  for (const name of ["git", "egress"] as const) {
    await progress.step(name, async (step) => {
      const outcome = await ensureService(docker, instance, planService(plan, name));
      await waitForService({ ...plan, docker, name });
      step.name(`${name} ${wordFor(outcome)}`);
    });
  }
}

async function startProcesses(plan: StackPlan, progress: Progress): Promise<void> {
  const { layout, config } = plan;
  for (const name of processNames) {
    await progress.step(name, async (step) => {
      const outcome = await ensureProcess(layout, planProcess(plan, name));
      if (name === "web") await saveDashboardPort(layout.portsFile, config.settings.PORT);
      else await waitForProcess({ ...plan, name });
      step.name(`${name} ${wordFor(outcome)}`);
    });
  }
}

/** Refuses a port that somebody else has. What listens there is ours when our dashboard runs and was given that port. */
async function requireDashboardPort(config: StackConfig, layout: DataLayout): Promise<void> {
  const runs = findRecordedProcess(recordPathOf(layout, "web")) !== null;
  if (runs && findPorts(layout.portsFile)?.dashboard === config.settings.PORT) return;
  // What a killed dashboard may have left behind ends first.
  if (!runs) await stopProcess(layout, { name: "web" });
  await requirePort(config.settings.PORT);
}

async function isOwnPort(options: {
  name: keyof InternalPorts;
  layout: DataLayout;
  engine: Engine;
  instance: Instance;
}): Promise<boolean> {
  const { name, layout, engine, instance } = options;
  if (name === "postgres") return findRecordedProcess(recordPathOf(layout, "postgres")) !== null;
  const service = name === "egressControl" ? "egress" : "git";
  const container = await findContainer(engine.docker, serviceContainerName(instance, service));
  return container?.State.Running === true;
}

/** The service's user owns its folder and nobody else enters it. */
export function prepareServiceFolder(path: string, isRoot: boolean): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, gid } = serviceImageUser;
  if (!isRoot || statSync(path).uid === uid) return;
  // A folder that was put back from a backup may belong to anybody.
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), uid, gid);
  }
  chownSync(path, uid, gid);
}

function wordFor(outcome: "kept" | "started" | "restarted" | "recreated"): string {
  switch (outcome) {
    case "kept":
      return "already runs";
    case "started":
      return "started";
    case "restarted":
    case "recreated":
      return "started anew, since it had changed";
  }
}

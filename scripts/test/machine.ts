import { existsSync } from "node:fs";
import { installPackages, readLinuxRelease } from "../stack/apt";
import { ensureBaseImage } from "../stack/base-image";
import { buildCheckout } from "../stack/build";
import { hasProgram } from "../stack/command";
import { ensureInstance, ensurePassword, prepareDataDir } from "../stack/data-dir";
import { listSocketPaths } from "../stack/engine";
import { ensureRunsc } from "../stack/engine-runtime";
import { OperatorError } from "../stack/operator-error";
import {
  ensureSandboxImage,
  ensureServiceImage,
  sandboxImageTag,
  serviceImageTag,
} from "../stack/own-images";
import { ensureEngine, isOwnEngine, stopOwnEngine } from "../stack/own-engine";
import { ensurePorts } from "../stack/ports";
import { ensureEmbeddedPostgres, stopEmbeddedPostgres } from "../stack/postgres";
import type { Progress } from "../stack/progress";
import { imageCacheDir, loadStackConfig } from "../stack/stack-config";

/** What the suites need from the machine, ready. */
export interface TestMachine {
  /** How the suites find it; server/testing/int-environment.ts reads these. */
  env: Readonly<Record<string, string>>;
  /** Ends what this run started: the database, and the engine unless it was there before or somebody uses it. */
  release(): Promise<void>;
}

/** Installs, starts and builds what is missing, with the same code that `stack:up` uses. */
export async function prepareMachine(options: {
  dataDir: string;
  needsBrowser: boolean;
  progress: Progress;
}): Promise<TestMachine> {
  const { dataDir, needsBrowser, progress } = options;
  const config = await loadStackConfig({ ...process.env, DATA_DIR: dataDir });
  const hadOwnEngine = isOwnEngine();
  const found = await ensureEngine({
    socketPaths: listSocketPaths(config.env),
    isRoot: config.isRoot,
    progress,
  });
  const engine = await ensureRunsc({ engine: found, progress });
  const release = async (): Promise<void> => {
    await stopEmbeddedPostgres(prepareDataDir(dataDir));
    if (!hadOwnEngine) await stopOwnEngine(engine);
  };
  try {
    await ensurePrograms(needsBrowser, config.isRoot, progress);
    const baseImageId = await ensureBaseImage({
      docker: engine.docker,
      progress,
      isRoot: config.isRoot,
      cacheDir: imageCacheDir(config),
    });
    await buildCheckout(progress);
    const from = { docker: engine.docker, progress, baseImageId, extraCaCerts: config.extraCaCerts };
    await ensureSandboxImage(from);
    await ensureServiceImage(from);
    return {
      env: {
        TEST_ENGINE_SOCKET: engine.socketPath,
        TEST_RUNTIMES: "runc,runsc",
        TEST_SANDBOX_IMAGE: sandboxImageTag,
        TEST_SERVICE_IMAGE: serviceImageTag,
        TEST_DATABASE_URL: await startDatabase(dataDir, config.isRoot, progress),
      },
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function ensurePrograms(needsBrowser: boolean, isRoot: boolean, progress: Progress): Promise<void> {
  const missing: string[] = [];
  if (!(await hasProgram("git"))) missing.push("git");
  if (needsBrowser && !existsSync("/usr/bin/chromium")) missing.push("chromium");
  if (missing.length === 0) return;
  if (!isRoot || readLinuxRelease()?.isDebianLike !== true) {
    throw new OperatorError(`The tests need ${missing.join(" and ")}: install it and run this again.`);
  }
  await progress.step(`Installing ${missing.join(" and ")} with apt`, (step) =>
    installPackages(missing, step),
  );
}

/** Tests make databases, so they connect as the server's administrator. */
async function startDatabase(dataDir: string, isRoot: boolean, progress: Progress): Promise<string> {
  return progress.step("PostgreSQL for the tests", async () => {
    const layout = prepareDataDir(dataDir);
    const instance = await ensureInstance(dataDir);
    const { postgres } = await ensurePorts(layout.portsFile, () => Promise.resolve(false));
    const { databaseUrl } = await ensureEmbeddedPostgres({ dataDir, instance, port: postgres, isRoot });
    const url = new URL(databaseUrl);
    url.username = "postgres";
    url.password = await ensurePassword(layout, "postgres-admin-password");
    url.pathname = "/postgres";
    return url.href;
  });
}

import { existsSync, rmSync } from "node:fs";
import type { Instance } from "../../server/platform/instance";
import { dataLayout, findInstance, socketDirOf } from "./data-dir";
import { explainEngine, findEngine, listSocketPaths, type Engine } from "./engine";
import { acquireLock } from "./lock";
import { stopOwnEngine } from "./own-engine";
import { processNames } from "./parts";
import { stopEmbeddedPostgres } from "./postgres";
import { stopProcess } from "./processes";
import type { Progress } from "./progress";
import { removeInstance } from "./services";
import type { StackConfig } from "./stack-config";

const lockWaitMs = 20 * 60_000;

/**
 * Takes an installation down: no process, container or network of it is left, and its data stays. An engine that
 * stack:up started ends with it when no container is left in it.
 */
export async function takeDown(config: StackConfig, progress: Progress): Promise<void> {
  const instance = existsSync(config.dataDir) ? findInstance(config.dataDir) : null;
  if (instance === null) {
    progress.note(`There is no instance in ${config.dataDir}`);
    return;
  }
  const layout = dataLayout(config.dataDir);
  const release = await acquireLock({
    path: layout.lockFile,
    waitMs: lockWaitMs,
    onWait: (pid) =>
      progress.note(`Another command (process ${pid}) is at work on this DATA_DIR; waiting for it`),
  });
  try {
    await progress.step("Processes ended", async (step) => {
      for (const name of [...processNames].reverse()) {
        step.update(name);
        await stopProcess(layout, { name });
      }
    });
    await takeDownEngineObjects(config, instance, progress);
    await progress.step("Database ended, data kept", () => stopEmbeddedPostgres(layout));
    rmSync(socketDirOf(instance), { recursive: true, force: true });
  } finally {
    release();
  }
}

async function takeDownEngineObjects(
  config: StackConfig,
  instance: Instance,
  progress: Progress,
): Promise<void> {
  const finding = await findEngine(listSocketPaths(config.env));
  if (finding.status === "absent") {
    progress.note(
      "No Docker engine runs, so no container does; what is left of this instance goes at the next stack:down",
    );
    return;
  }
  if (finding.status !== "ready") throw explainEngine(finding, process.platform);
  const { engine } = finding;
  await progress.step("Containers and networks removed", async (step) => {
    const removed = await removeInstance(engine.docker, instance);
    step.name(`${removed.containers} containers and ${removed.networks} networks removed`);
  });
  await endEngine(engine, progress);
}

async function endEngine(engine: Engine, progress: Progress): Promise<void> {
  await progress.step("Docker engine left as it is", async (step) => {
    const outcome = await stopOwnEngine(engine);
    if (outcome === "stopped") step.name("Docker engine ended, which stack:up had started");
    if (outcome === "in_use") step.name("Docker engine left running: it holds other containers");
  });
}

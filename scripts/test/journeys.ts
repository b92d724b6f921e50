import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { instanceLabel } from "../../server/platform/instance";
import { findInstance } from "../stack/data-dir";
import { ensureEngine } from "../stack/own-engine";
import type { Progress } from "../stack/progress";
import type { TestMachine } from "./machine";
import { addCounts, runPlaywright, runShown, type Counts } from "./suites";

/**
 * Starts a stack of its own as a user would, with `stack:up`, runs the browser journeys on it, takes it down, and
 * counts as one more test whether anything of it is left on the engine.
 */
export async function runJourneys(
  machine: TestMachine,
  progress: Progress,
  filters: readonly string[],
): Promise<Counts> {
  const dataDir = mkdtempSync(join(tmpdir(), "rhumbatron-journey-"));
  const port = await findFreePort();
  const env = { DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
  const stack = (word: string): Promise<number> =>
    runShown(process.execPath, ["scripts/run.mjs", "stack", word], env);
  try {
    progress.note("A stack for the journeys");
    if ((await stack("up")) !== 0) return { passed: 0, failed: 1 };
    const instance = findInstance(dataDir);
    const counts = await runPlaywright(filters, {
      ...machine.env,
      ...env,
      E2E_BASE_URL: env.PUBLIC_URL,
      E2E_INSTANCE: instance?.id ?? "",
    });
    const downCode = await stack("down");
    // Down ends an engine that holds no container any more: what is left of networks shows when it runs again.
    const { docker } = await ensureEngine({
      socketPaths: [machine.env["TEST_ENGINE_SOCKET"] ?? ""],
      isRoot: process.getuid?.() === 0,
      progress,
    });
    const left = await listLeftovers(docker, instance?.id ?? "");
    for (const name of left) progress.note(`stack:down left ${name} behind`);
    const isClean = downCode === 0 && left.length === 0;
    return addCounts(counts, isClean ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  } finally {
    await stack("down");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function listLeftovers(docker: Docker, instanceId: string): Promise<string[]> {
  const filters = { label: [`${instanceLabel}=${instanceId}`] };
  const [containers, networks] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
  ]);
  return [...containers.flatMap((container) => container.Names), ...networks.map((network) => network.Name)];
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}

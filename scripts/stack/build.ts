import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { runCommand } from "./command";
import { hashContents } from "./content-hash";
import { writeWhole } from "./data-dir";
import { acquireLock } from "./lock";
import { explainDiskFault, OperatorError } from "./operator-error";
import type { Progress, Step } from "./progress";
import { checkoutRoot } from "./stack-config";

/** What the build leaves behind, as hashes, to know what has changed since something was started from it. */
export interface CheckoutBuild {
  /** Of the pages and the API. */
  webHash: string;
  /** Of each bundle under dist/, by its name. */
  bundleHashes: Readonly<Record<BundleName, string>>;
}

type BundleName = "docker-proxy" | "sandboxd" | "egress" | "git";

const buildWaitMs = 15 * 60_000;
const isSource = (path: string): boolean =>
  !/\.(test|contract|sim)\.tsx?$/.test(path) && !path.includes("/testing/");
const lockfile = ["package-lock.json"];
const webInputs = [
  "app",
  "server",
  "prisma",
  "public",
  "instrumentation.ts",
  "proxy.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "prisma.config.ts",
  "package.json",
  "tsconfig.json",
];

/**
 * Builds everything that runs from this checkout: the database client, dist/<name>.js for the processes, and the
 * pages. What has equal inputs to the last build is left alone. Two builds of one checkout wait for each other.
 */
export async function buildCheckout(progress: Progress): Promise<CheckoutBuild> {
  const release = await acquireLock({
    path: join(checkoutRoot, "node_modules", ".rhumbatron-build.lock"),
    waitMs: buildWaitMs,
    onWait: (pid) =>
      progress.note(`Another build of this checkout is under way (process ${pid}); waiting for it`),
  });
  try {
    await progress.step("Database client", (step) => ensureDatabaseClient(step));
    const bundleHashes = await progress.step("Bundles of the processes", () => buildBundles());
    const webHash = await progress.step("Pages and API", (step) => ensurePages(step));
    return { webHash, bundleHashes };
  } finally {
    release();
  }
}

async function ensureDatabaseClient(step: Step): Promise<void> {
  const hash = hashContents(checkoutRoot, ["prisma", "prisma.config.ts", "scripts/prisma.mjs", ...lockfile]);
  if (isStamped("client", hash, join(checkoutRoot, "generated")))
    return step.name("Database client up to date");
  await runStep("The database client could not be generated", step, ["scripts/prisma.mjs", "generate"]);
  await stamp("client", hash);
  step.name("Database client generated");
}

/** Bundling takes less than a second, so it is done every time; the hash of the result says whether anything changed. */
async function buildBundles(): Promise<CheckoutBuild["bundleHashes"]> {
  const shared = {
    absWorkingDir: checkoutRoot,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outdir: "dist",
    logLevel: "silent",
  } as const;
  const entry = (name: BundleName): string => `server/entry/${name}.ts`;
  try {
    await build({ ...shared, entryPoints: [entry("docker-proxy"), entry("sandboxd")], packages: "external" });
    await build({
      ...shared,
      entryPoints: [entry("egress"), entry("git")],
      // These two run where there is no node_modules, and some packages call require.
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error);
    throw explainDiskFault(
      new OperatorError(`The processes could not be bundled: ${reason}.`, { cause: error }),
      "this checkout",
    );
  }
  const hashOf = (name: BundleName, packages: readonly string[]): string =>
    hashContents(checkoutRoot, [`dist/${name}.js`, ...packages]);
  return {
    // The first two read their packages from node_modules when they start.
    "docker-proxy": hashOf("docker-proxy", lockfile),
    sandboxd: hashOf("sandboxd", lockfile),
    egress: hashOf("egress", []),
    git: hashOf("git", []),
  };
}

async function ensurePages(step: Step): Promise<string> {
  const hash = hashContents(checkoutRoot, [...webInputs, ...lockfile], { isCounted: isSource });
  if (isStamped("web", hash, join(checkoutRoot, ".next", "BUILD_ID"))) {
    step.name("Pages and API up to date");
    return hash;
  }
  await runStep("The pages could not be built", step, ["node_modules/next/dist/bin/next", "build"]);
  await stamp("web", hash);
  step.name("Pages and API built");
  return hash;
}

async function runStep(failure: string, step: Step, nodeArguments: readonly string[]): Promise<void> {
  const lines: string[] = [];
  const { exitCode } = await runCommand(process.execPath, nodeArguments, {
    cwd: checkoutRoot,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1" },
    onLine: (line) => {
      lines.push(line);
      step.update(line);
    },
  });
  if (exitCode === 0) return;
  throw explainDiskFault(new OperatorError(`${failure}:\n${lines.slice(-30).join("\n")}`), "this checkout");
}

function stampPath(name: string): string {
  return join(checkoutRoot, "dist", `${name}.inputs`);
}

function isStamped(name: string, hash: string, result: string): boolean {
  return existsSync(result) && existsSync(stampPath(name)) && readFileSync(stampPath(name), "utf8") === hash;
}

async function stamp(name: string, hash: string): Promise<void> {
  await writeWhole(stampPath(name), hash, 0o644);
}

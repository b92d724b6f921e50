// Runs the Prisma CLI. Where its native schema engine is not installed, `generate`, `validate` and `format` do not
// need it and get a stand-in, so that they work without the download that the CLI would otherwise attempt. With
// PRISMA_ENGINE=wasm the commands that do need it (migrate, db) use Prisma's own WebAssembly build of the engine.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const [command = "", ...rest] = process.argv.slice(2);
const env = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1", ...process.env };

if (!hasNativeEngine() && env.PRISMA_SCHEMA_ENGINE_BINARY === undefined) {
  if (["generate", "validate", "format"].includes(command))
    env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath;
  else if (env.PRISMA_ENGINE === "wasm") {
    env.PRISMA_SCHEMA_ENGINE_BINARY = join(import.meta.dirname, "prisma", "schema-engine.mjs");
  }
}

const cli = join(dirname(require.resolve("prisma/package.json")), "build", "index.js");
const quiet = command === "generate" && !process.stdout.isTTY;
const result = spawnSync(process.execPath, [cli, command, ...rest], {
  env,
  stdio: quiet ? ["ignore", "pipe", "inherit"] : "inherit",
});
if (quiet && result.status !== 0) process.stdout.write(result.stdout);
if (result.status !== 0 && env.PRISMA_SCHEMA_ENGINE_BINARY === undefined && !hasNativeEngine()) {
  console.error("Where Prisma's engine cannot be downloaded, PRISMA_ENGINE=wasm uses its WebAssembly build.");
}
process.exit(result.status ?? 1);

function hasNativeEngine() {
  const folder = dirname(require.resolve("@prisma/engines/package.json"));
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("schema-engine-"));
}

/**
 * The way into every tool of this checkout: `node scripts/run.mjs stack up`. Plain Node without a package, so that it
 * works in a fresh clone. It checks Node, reads `.env`, installs the packages when they are missing or out of date,
 * and hands over to scripts/<tool>/main.ts.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

requireNode(20, 19);
if (existsSync(join(root, ".env"))) process.loadEnvFile(join(root, ".env"));
if (!process.env.NODE_EXTRA_CA_CERTS && process.env.EXTRA_CA_CERTS) {
  process.env.NODE_EXTRA_CA_CERTS = process.env.EXTRA_CA_CERTS;
}
const [tool, ...words] = process.argv.slice(2);
if (tool === undefined || !/^[a-z]+$/.test(tool) || !existsSync(join(root, "scripts", tool, "main.ts"))) {
  fail(
    "Use: node scripts/run.mjs stack up|down|status|logs, test [int|e2e|soak], cli help, demo, screenshots, or schemas.",
  );
}
await installPackages();
process.exitCode = await run(process.execPath, [
  "--import",
  "tsx",
  join("scripts", tool, "main.ts"),
  ...words,
]);

function requireNode(major, minor) {
  const [has, hasMinor] = process.versions.node.split(".").map(Number);
  if (has < major || (has === major && hasMinor < minor)) {
    fail(
      `Rhumbatron needs Node ${major}.${minor} or later and this is ${process.versions.node}: install it and run this again.`,
    );
  }
}

/** Two at once on one checkout wait for each other; an install that was broken off is done again. */
async function installPackages() {
  if (packagesAreCurrent()) return;
  const release = await lockCheckout();
  try {
    if (packagesAreCurrent()) return;
    const startedMs = Date.now();
    const elapsed = () => `${Math.round((Date.now() - startedMs) / 1000)} s`;
    console.log("Installing packages with npm (about a minute the first time)");
    const ticker = setInterval(() => console.log(`  … installing packages (${elapsed()})`), 10_000);
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const code = await run(npm, ["ci", "--include=dev", "--no-fund", "--no-audit", "--loglevel=error"]);
    clearInterval(ticker);
    if (code !== 0) fail("npm could not install the packages; what it said stands above.");
    console.log(`✓ Packages installed (${elapsed()})`);
  } finally {
    release();
  }
}

/** Compares the lock with npm's own record of what it installed, which npm writes last. */
function packagesAreCurrent() {
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (wanted === null) fail("package-lock.json is missing: this is not a whole checkout of Rhumbatron.");
  if (installed === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.link) return true;
    const found = installed[path];
    return found === undefined ? Boolean(entry.optional) : found.version === entry.version;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

async function lockCheckout() {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const path = join(tmpdir(), `rhumbatron-install-${name}.lock`);
  for (let said = false; ; said = true) {
    try {
      const file = openSync(path, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => unlinkSync(path);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = readHolder(path);
    if (holder !== null && !isAlive(holder)) {
      unlinkSync(path);
      continue;
    }
    if (!said) console.log("Another command is installing the packages of this checkout; waiting for it");
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

function readHolder(path) {
  try {
    return Number(readFileSync(path, "utf8")) || null;
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Passes signals on to the child and answers its exit code. */
function run(command, commandArguments) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, { cwd: root, stdio: "inherit" });
    const forward = (signal) => child.kill(signal);
    process.on("SIGINT", forward).on("SIGTERM", forward);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

function fail(sentence) {
  console.error(`✗ ${sentence}`);
  process.exit(1);
}

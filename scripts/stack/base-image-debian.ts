import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { debianMirrorOf, installPackages, readAptSources } from "./apt";
import { hasProgram, runCommand, type CommandResult } from "./command";
import { explainDiskFault, OperatorError } from "./operator-error";
import type { Step } from "./progress";

const suite = "bookworm";
const packages = ["git", "jq", "curl", "ca-certificates", "procps", "netcat-openbsd", "util-linux"];

/** The name under which a base made here is kept. It changes with everything that goes into one. */
export function debianBaseArchiveName(bunVersion: string): string {
  return `base-${suite}-bun-${bunVersion}-${process.arch}.tar.gz`;
}

/** npm's package of bun for this processor; one without AVX2 takes the baseline build. */
export function bunPackageOf(arch: string, cpuFlags: string): string {
  if (arch === "arm64") return "@oven/bun-linux-aarch64";
  return /\bavx2\b/.test(cpuFlags) ? "@oven/bun-linux-x64" : "@oven/bun-linux-x64-baseline";
}

/**
 * Builds the archive of a Debian with git, the few tools that the images need, and bun. Needs root. Errors: an
 * `OperatorError`; nothing half made is left under the archive's name.
 */
export async function buildDebianBase(options: {
  archive: string;
  bunVersion: string;
  step: Step;
}): Promise<void> {
  const { archive, bunVersion, step } = options;
  const cacheDir = dirname(archive);
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  removeDrafts(cacheDir);
  const draft = join(cacheDir, `draft-${process.pid}`);
  const root = join(draft, "root");
  mkdirSync(draft, { mode: 0o700 });
  try {
    if (!(await hasProgram("debootstrap")))
      await installPackages(["debootstrap", "debian-archive-keyring"], step);
    const mirror = debianMirrorOf(readAptSources());
    step.update(`unpacking Debian ${suite} from ${mirror}`);
    requireSuccess(
      await runCommand(
        "debootstrap",
        ["--variant=minbase", `--include=${packages.join(",")}`, suite, root, mirror],
        { cwd: draft, onLine: (line) => step.update(line.replace(/^I: /, "")) },
      ),
      `debootstrap could not unpack Debian ${suite} from ${mirror}`,
    );
    await addBun({ draft, root, bunVersion, step });
    for (const folder of ["var/cache/apt/archives", "var/lib/apt/lists"]) emptyFolder(join(root, folder));
    step.update("packing it");
    requireSuccess(
      await runCommand("tar", [
        "--create",
        "--numeric-owner",
        "--use-compress-program=gzip -1",
        `--file=${archive}.new`,
        "--directory",
        root,
        ".",
      ]),
      "tar could not pack the base image",
    );
    renameSync(`${archive}.new`, archive);
  } finally {
    rmSync(`${archive}.new`, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** npm checks the package against the hash that its registry states. */
async function addBun(options: {
  draft: string;
  root: string;
  bunVersion: string;
  step: Step;
}): Promise<void> {
  const { draft, root, bunVersion, step } = options;
  const name = bunPackageOf(process.arch, readFileSync("/proc/cpuinfo", "utf8"));
  step.update(`adding bun ${bunVersion} from the npm registry`);
  const packDir = join(draft, "bun");
  mkdirSync(packDir);
  requireSuccess(
    await runCommand("npm", ["pack", `${name}@${bunVersion}`, "--loglevel=error"], { cwd: packDir }),
    `npm could not fetch ${name}@${bunVersion}`,
  );
  const file = readdirSync(packDir).find((entry) => entry.endsWith(".tgz"));
  requireSuccess(
    await runCommand("tar", ["--extract", "--gzip", `--file=${file ?? ""}`], { cwd: packDir }),
    `tar could not unpack ${name}`,
  );
  const target = join(root, "usr/local/bin/bun");
  copyFileSync(join(packDir, "package", "bin", "bun"), target);
  chmodSync(target, 0o755);
  symlinkSync("bun", join(root, "usr/local/bin/bunx"));
}

function requireSuccess(result: CommandResult, failure: string): void {
  if (result.exitCode === 0) return;
  throw explainDiskFault(new OperatorError(`${failure}: ${result.lastLines}.`), "the cache");
}

/** What an interrupted build left behind. */
function removeDrafts(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    const owner = /^draft-(\d+)$/.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`))
      rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
}

function emptyFolder(path: string): void {
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
}

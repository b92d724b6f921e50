import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianMirrorOf, readAptSources, readLinuxRelease } from "./apt";
import { runCommand } from "./command";
import { probeEngine, type Engine } from "./engine";
import { OperatorError } from "./operator-error";
import { isOwnEngine, registerRuntime, systemEngineHome, type EngineHome } from "./own-engine";
import type { Progress, Step } from "./progress";

/**
 * The runtime's own network stack, as Debian packages it, fails on new kernels; with the host's, sockets are those of
 * the container's own network namespace. Without an overlay in memory, writes stay on the disk where the engine and
 * the limits see them.
 */
export const runscArguments = ["--network=host", "--overlay2=none"] as const;

/**
 * Answers the engine once it has the runtime `runsc`. An engine of ours is given it, from Debian's next release where
 * this one's is too old; for any other engine a sentence says what its operator must add.
 */
export async function ensureRunsc(options: {
  engine: Engine;
  progress: Progress;
  engineHome?: EngineHome;
}): Promise<Engine> {
  const { engine, progress, engineHome = systemEngineHome } = options;
  if (engine.runtimes.includes("runsc")) return engine;
  if (engine.socketPath !== engineHome.socketPath || !isOwnEngine(engineHome)) {
    const entry = JSON.stringify({ runsc: { path: "/usr/local/bin/runsc", runtimeArgs: runscArguments } });
    throw new OperatorError(
      `SANDBOX_RUNTIME is runsc and the Docker engine at ${engine.socketPath} has no such runtime: install gVisor's runsc, add "runtimes": ${entry} to /etc/docker/daemon.json, and reload the engine.`,
    );
  }
  return progress.step("Installing the runtime runsc (gVisor)", async (step) => {
    const path = join(engineHome.home, "runsc");
    if (!existsSync(path)) await installRunsc(path, step);
    await registerRuntime(engineHome, { name: "runsc", path, runtimeArgs: runscArguments });
    const finding = await probeEngine(engine.socketPath);
    if (finding.status !== "ready")
      throw new OperatorError("The Docker engine stopped answering while it took up runsc.");
    return finding.engine;
  });
}

/** Debian 12 packages one of 2022, in which `ls` fails on today's kernels; the next release's is one binary that runs here. */
function listSuites(codename: string): string[] {
  return codename === "bookworm" ? ["trixie", "bookworm"] : [codename];
}

async function installRunsc(path: string, step: Step): Promise<void> {
  const release = readLinuxRelease();
  if (release?.isDebianLike !== true) {
    throw new OperatorError(
      "runsc can be installed for you on Debian and Ubuntu only: install gVisor's runsc and register it with the engine.",
    );
  }
  const reasons: string[] = [];
  for (const suite of listSuites(release.codename)) {
    step.update(`looking in ${suite}`);
    const scratch = mkdtempSync(join(tmpdir(), "rhumbatron-runsc-"));
    try {
      const binary = await unpackRunsc({ scratch, suite, isOwnSuite: suite === release.codename });
      const { exitCode, lastLines } = await runCommand(binary, [...runscArguments, "do", "true"], {
        cwd: "/",
      });
      if (exitCode !== 0) throw new OperatorError(`it does not run here: ${lastLines}`);
      mkdirSync(join(path, ".."), { recursive: true });
      copyFileSync(binary, `${path}.new`);
      chmodSync(`${path}.new`, 0o755);
      renameSync(`${path}.new`, path);
      return;
    } catch (error) {
      reasons.push(`${suite}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  throw new OperatorError(
    `No runsc could be installed (${reasons.join("; ")}): set SANDBOX_RUNTIME=runc, or install gVisor yourself.`,
  );
}

/** Fetches the package with lists of its own, so that this machine's apt never sees another release. */
async function unpackRunsc(options: {
  scratch: string;
  suite: string;
  isOwnSuite: boolean;
}): Promise<string> {
  const { scratch, suite, isOwnSuite } = options;
  const own: string[] = [];
  if (!isOwnSuite) {
    const sources = readAptSources();
    const mirror = debianMirrorOf(sources);
    const signedBy =
      sources.find(({ uri }) => uri.replace(/\/$/, "") === mirror)?.signedBy ??
      "/usr/share/keyrings/debian-archive-keyring.gpg";
    const list = join(scratch, "sources.list");
    writeFileSync(list, `deb [signed-by=${signedBy}] ${mirror} ${suite} main\n`);
    for (const name of ["lists", "cache"]) mkdirSync(join(scratch, name, "partial"), { recursive: true });
    own.push("-o", `Dir::Etc::sourcelist=${list}`, "-o", "Dir::Etc::sourceparts=-");
    own.push(
      "-o",
      `Dir::State::lists=${join(scratch, "lists")}`,
      "-o",
      `Dir::Cache=${join(scratch, "cache")}`,
    );
    // The scratch folder is root's only, which apt's own user may not enter.
    own.push("-o", "APT::Sandbox::User=root", "-o", "APT::Default-Release=");
  }
  await runOrThrow("apt-get", [...own, "update", "-q"], scratch);
  await runOrThrow("apt-get", [...own, "download", "-q", "runsc"], scratch);
  const file = readdirSync(scratch).find((name) => name.startsWith("runsc_") && name.endsWith(".deb"));
  if (file === undefined) throw new OperatorError("apt-get brought no package runsc");
  await runOrThrow("dpkg", ["-x", file, "root"], scratch);
  return join(scratch, "root", "usr", "bin", "runsc");
}

async function runOrThrow(program: string, programArguments: readonly string[], cwd: string): Promise<void> {
  const { exitCode, lastLines } = await runCommand(program, programArguments, {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (exitCode !== 0) throw new OperatorError(`${program} ended with ${exitCode}: ${lastLines}`);
}

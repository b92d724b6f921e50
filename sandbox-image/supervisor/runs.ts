import { execFile } from "node:child_process";
import { appendFileSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import { DomainError } from "../../server/platform/errors";
import type { EndProcesses } from "./process-ender";
import { commandLineAs } from "./spawn-as";

const workspaceRoot = "/workspace";
const runRoot = "/var/lib/rhumbatron/runs";
/** Where every uid may write beside its own directories. */
const sharedPlaces = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"];
const removeTimeoutMs = 120_000;

export interface PreparedRun {
  uid: number;
  directory: string;
  home: string;
  tmp: string;
  user: string;
}

/** The Runs of this container. A uid belongs to one directory, and once its Run was removed never comes back. */
export interface Runs {
  prepare(uid: number, directory: string): PreparedRun;
  /** Errors: `input.invalid` when the uid has no Run here, or had one that was removed. */
  get(uid: number): PreparedRun;
  /** Refuses the uid from now on, lets `endOwn` end what is ours of it, ends every process of it, then removes its files. */
  remove(uid: number, directory: string, endOwn: () => Promise<void>): Promise<void>;
  list(): PreparedRun[];
}

export function createRuns(endProcesses: EndProcesses): Runs {
  const prepared = new Map<number, PreparedRun>();
  const removed = new Set<number>();
  const removing = new Map<number, Promise<void>>();

  return {
    prepare: (uid, directory) => {
      if (removed.has(uid)) throw refused(uid);
      checkDirectory(directory);
      const known = prepared.get(uid);
      const owner = [...prepared.values()].find((run) => run.directory === directory);
      if (
        (known !== undefined && known.directory !== directory) ||
        (owner !== undefined && owner.uid !== uid)
      ) {
        throw new DomainError("input.invalid", "This uid or this directory belongs to another Run.");
      }
      const base = `${runRoot}/${uid}`;
      const run = { uid, directory, home: `${base}/home`, tmp: `${base}/tmp`, user: `run-${uid}` };
      mkdirSync(base, { recursive: true, mode: 0o755 });
      for (const path of [run.directory, run.home, run.tmp]) makeOwnDirectory(path, uid);
      addUser(run);
      prepared.set(uid, run);
      return run;
    },
    get: (uid) => {
      const run = prepared.get(uid);
      if (run === undefined) throw refused(uid);
      return run;
    },
    remove: async (uid, directory, endOwn) => {
      checkDirectory(directory);
      const known = prepared.get(uid);
      if (known !== undefined && known.directory !== directory) {
        throw new DomainError("input.invalid", "This uid belongs to another Run.");
      }
      removed.add(uid);
      prepared.delete(uid);
      let removal = removing.get(uid);
      if (removal === undefined) {
        removal = removeRun(uid, directory, endOwn, endProcesses).finally(() => removing.delete(uid));
        removing.set(uid, removal);
      }
      await removal;
    },
    list: () => [...prepared.values()],
  };
}

async function removeRun(
  uid: number,
  directory: string,
  endOwn: () => Promise<void>,
  endProcesses: EndProcesses,
): Promise<void> {
  await endOwn();
  const scope = { uid, session: null, isMainAlive: false, isWholeUid: true, sparedPid: null };
  const isAllDead = await endProcesses(() => scope, 0);
  if (!isAllDead) throw new DomainError("internal", "Processes of the Run could not be ended.");
  await removeSharedMemory(uid);
  for (const path of [directory, `${runRoot}/${uid}`]) await removeTree(path);
  await sweepSharedPlaces(uid);
}

/** `rm` goes down by descriptors: it follows no link, and no depth or name is too long for it. */
async function removeTree(path: string): Promise<void> {
  await run("/usr/bin/rm", ["-rf", "--one-file-system", "--", path]).catch(() => {
    rmSync(path, { recursive: true, force: true });
  });
  if (existsSync(path)) throw new DomainError("internal", "A directory of the Run could not be removed.");
}

/** What System V calls leave outlives its makers, and only its owner may remove it. */
async function removeSharedMemory(uid: number): Promise<void> {
  const [file, ...args] = commandLineAs(uid, ["/usr/bin/ipcrm", "--all"]);
  // It fails for what belongs to others.
  await run(file, args).catch(() => undefined);
}

async function sweepSharedPlaces(uid: number): Promise<void> {
  const places = sharedPlaces.filter((place) => existsSync(place));
  // It fails for a directory in which another uid left something; that one is emptied of what is this uid's.
  await run("/usr/bin/find", [
    ...places,
    "-xdev",
    "-depth",
    "-mindepth",
    "1",
    "-uid",
    String(uid),
    "-delete",
  ]).catch(() => undefined);
}

async function run(file: string, args: string[]): Promise<void> {
  await promisify(execFile)(file, args, { env: {} as NodeJS.ProcessEnv, timeout: removeTimeoutMs });
}

function makeOwnDirectory(path: string, uid: number): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, uid, uid);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const found = lstatSync(path);
    if (!found.isDirectory() || (found.uid !== uid && found.uid !== 0)) {
      throw new DomainError("input.invalid", "The directory is there and belongs to somebody else.");
    }
    if (found.uid === 0) chownSync(path, uid, uid);
  }
}

/** Programs that ask for the name or the home of their uid find them. */
function addUser({ uid, user, home }: PreparedRun): void {
  if (readFileSync("/etc/passwd", "utf8").includes(`\n${user}:`)) return;
  appendFileSync("/etc/passwd", `${user}:x:${uid}:${uid}::${home}:/bin/sh\n`);
  appendFileSync("/etc/group", `${user}:x:${uid}:\n`);
}

function checkDirectory(directory: string): void {
  const name = directory.slice(workspaceRoot.length + 1);
  if (directory !== `${workspaceRoot}/${name}` || !/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(name)) {
    throw new DomainError("input.invalid", `A Run's directory is ${workspaceRoot}/<runId>.`);
  }
}

function refused(uid: number): DomainError {
  return new DomainError(
    "input.invalid",
    `uid ${uid} has no Run in this Sandbox: prepare it first, or it was removed.`,
  );
}

import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Instance } from "../../server/platform/instance";
import { runCommand } from "./command";
import { dataLayout, ensurePassword, type DataLayout } from "./data-dir";
import { OperatorError, systemErrorCode } from "./operator-error";
import { findRecordedProcess } from "./pid-record";
import {
  ensurePostgresSoftware,
  mayBeEnteredByOthers,
  removeOtherSoftware,
  type PostgresSoftware,
} from "./postgres-software";
import {
  ensureProcess,
  lastLogLine,
  logPathOf,
  recordPathOf,
  stopProcess,
  type ProcessSpec,
} from "./processes";

const databaseName = "rhumbatron";
const startDeadlineMs = 60_000;

export interface EmbeddedPostgres {
  databaseUrl: string;
  /** Where software and data lie. */
  home: string;
  version: string;
  outcome: "kept" | "started" | "restarted";
}

interface PostgresOptions {
  dataDir: string;
  instance: Instance;
  port: number;
  isRoot: boolean;
  /** Where the home goes that the unprivileged user cannot enter under DATA_DIR. */
  systemDir?: string;
}

/**
 * Runs the installation's own PostgreSQL on 127.0.0.1: makes its data the first time, starts it when it is down,
 * recovers from any way in which it may have ended, and leaves it alone when it runs. Every acknowledged transaction
 * survives a kill. It listens on no unix socket, so that no path is ever too long for one.
 */
export async function ensureEmbeddedPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { port, isRoot } = options;
  const layout = dataLayout(options.dataDir);
  const owner = isRoot ? await readNobody() : null;
  const home = preparePostgresHome(options, owner);
  const software = ensurePostgresSoftware(home, owner);
  const passwords = {
    admin: await ensurePassword(layout, "postgres-admin-password"),
    database: await ensurePassword(layout, "database-password"),
  };
  const data = join(home, "data");
  if (!existsSync(join(data, "PG_VERSION")))
    await createData({ home, data, software, owner, password: passwords.admin });
  requireSameMajor(data, software);

  const spec = serverSpec({ data, software, port, owner });
  if (findRecordedProcess(recordPathOf(layout, "postgres")) === null) await clearAfterCrash(data);
  const outcome = await ensureProcess(layout, spec);
  await waitUntilReady({ layout, port, passwords });
  removeOtherSoftware(home, software.version);
  return {
    databaseUrl: `postgresql://${databaseName}:${passwords.database}@127.0.0.1:${port}/${databaseName}`,
    home,
    version: software.version,
    outcome,
  };
}

/** Ends the server in order: no new work, open transactions undone, everything written. */
export async function stopEmbeddedPostgres(layout: DataLayout): Promise<void> {
  await stopProcess(layout, { name: "postgres", stopSignal: "SIGINT", stopGraceMs: 30_000 });
}

/** Says in one sentence why a database server that the operator runs cannot be used; returns when it can. */
export async function requireDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  const { hostname, port, pathname } = new URL(databaseUrl);
  const where = `${hostname}:${port === "" ? "5432" : port}${pathname}`;
  try {
    await client.connect();
    await client.query("select 1");
  } catch (error) {
    const reason =
      error instanceof Error && error.message !== ""
        ? error.message
        : (systemErrorCode(error) ?? "no answer");
    throw new OperatorError(`The database of DATABASE_URL (${where}) cannot be used: ${reason}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL refuses to run as root, so that its files belong to the user `nobody` then. */
async function readNobody(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => (await runCommand("id", [flag, "nobody"])).stdout.trim()),
  );
  if (uid === undefined || gid === undefined || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) {
    throw new OperatorError(
      "There is no user named nobody for PostgreSQL to run as: make one, or set DATABASE_URL to a server.",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Under DATA_DIR where PostgreSQL's user can enter it; else under a system folder of the instance. */
function preparePostgresHome(options: PostgresOptions, owner: { uid: number; gid: number } | null): string {
  const near = dataLayout(options.dataDir).postgresDir;
  const far = join(options.systemDir ?? "/var/lib/rhumbatron", options.instance.id, "postgres");
  const isReachable = owner === null || mayBeEnteredByOthers(options.dataDir);
  if (!isReachable && existsSync(join(near, "data"))) {
    throw new OperatorError(
      `The user nobody, who runs PostgreSQL, cannot enter ${near} any more: let others pass through each folder above it (chmod o+x).`,
    );
  }
  const home = !isReachable || existsSync(join(far, "data")) ? far : near;
  mkdirSync(home, { recursive: true, mode: 0o711 });
  if (owner !== null) chownSync(home, owner.uid, owner.gid);
  return home;
}

async function createData(options: {
  home: string;
  data: string;
  software: PostgresSoftware;
  owner: { uid: number; gid: number } | null;
  password: string;
}): Promise<void> {
  const { home, data, software, owner, password } = options;
  const draft = `${data}.new`;
  const passwordFile = join(home, "password.new");
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { mode: 0o600, flag: "wx" });
  if (owner !== null) chownSync(passwordFile, owner.uid, owner.gid);
  try {
    const { exitCode, lastLines } = await runCommand(
      join(software.binDir, "initdb"),
      [
        `--pgdata=${draft}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // The same order of text on every machine, whatever languages it has.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
      ],
      { cwd: home, env: { PATH: process.env["PATH"], LC_ALL: "C" }, ...owner },
    );
    if (exitCode !== 0)
      throw new OperatorError(`PostgreSQL could not make its data in ${home}: ${lastLines}.`);
    renameSync(draft, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function requireSameMajor(data: string, software: PostgresSoftware): void {
  const found = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (found === software.majorVersion) return;
  throw new OperatorError(
    `The data in ${data} was made by PostgreSQL ${found} and this version of Rhumbatron brings ${software.majorVersion}: dump it with the old version and load it into the new one first.`,
  );
}

function serverSpec(options: {
  data: string;
  software: PostgresSoftware;
  port: number;
  owner: { uid: number; gid: number } | null;
}): ProcessSpec {
  const { data, software, port, owner } = options;
  const parameters = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=on"];
  return {
    name: "postgres",
    program: join(software.binDir, "postgres"),
    arguments: ["-D", data, ...parameters.flatMap((parameter) => ["-c", parameter])],
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
    cwd: data,
    codeHash: software.version,
    stopSignal: "SIGINT",
    stopGraceMs: 30_000,
    ...owner,
  };
}

/**
 * Waits for what a killed server left behind, since a new one must never meet its children, and then takes its pid
 * file away: after a reboot the number in it may belong to any other process.
 */
async function clearAfterCrash(data: string): Promise<void> {
  const pidFile = join(data, "postmaster.pid");
  if (!existsSync(pidFile) || process.platform !== "linux") return;
  const endMs = performance.now() + 30_000;
  for (let asked = false; ; asked = true) {
    const left = listProcessesIn(data);
    if (left.length === 0) break;
    if (!asked) for (const pid of left) killQuietly(pid, "SIGQUIT");
    if (performance.now() > endMs) {
      throw new OperatorError(
        `Processes of an earlier PostgreSQL do not end (${left.join(", ")}): end them and run this again.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  rmSync(pidFile, { force: true });
}

/** Every PostgreSQL process works in its data folder. */
function listProcessesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch (error) {
        // A process that is gone, a kernel thread, or another user's.
        if (["ENOENT", "EACCES", "ESRCH", "EPERM"].includes(systemErrorCode(error) ?? "")) return false;
        throw error;
      }
    })
    .map(Number);
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

interface Passwords {
  admin: string;
  database: string;
}

async function waitUntilReady(options: {
  layout: DataLayout;
  port: number;
  passwords: Passwords;
}): Promise<void> {
  const { layout, port, passwords } = options;
  const endMs = performance.now() + startDeadlineMs;
  for (;;) {
    const failure = await tryConnection({
      port,
      user: databaseName,
      database: databaseName,
      password: passwords.database,
    });
    if (failure === null) return;
    // No such role or database, or another password: the first start, or secrets that were put back from elsewhere.
    if (["28P01", "28000", "3D000"].includes(failure.code)) {
      await createDatabase(port, passwords);
      continue;
    }
    if (findRecordedProcess(recordPathOf(layout, "postgres")) === null) {
      throw new OperatorError(`PostgreSQL ended at once: ${lastLogLine(logPathOf(layout, "postgres"))}.`);
    }
    if (performance.now() > endMs) {
      throw new OperatorError(
        `PostgreSQL does not answer on 127.0.0.1:${port}: ${failure.message}; see ${logPathOf(layout, "postgres")}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function createDatabase(port: number, passwords: Passwords): Promise<void> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    database: "postgres",
    password: passwords.admin,
  });
  try {
    await client.connect();
    const has = async (query: string): Promise<boolean> =>
      (await client.query(query, [databaseName])).rowCount === 1;
    const verb = (await has("select 1 from pg_roles where rolname = $1")) ? "alter" : "create";
    await client.query(
      `${verb} role ${databaseName} login password ${client.escapeLiteral(passwords.database)}`,
    );
    if (!(await has("select 1 from pg_database where datname = $1"))) {
      await client.query(`create database ${databaseName} owner ${databaseName}`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`PostgreSQL runs but did not let its database be made: ${reason}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function tryConnection(options: {
  port: number;
  user: string;
  database: string;
  password: string;
}): Promise<{ code: string; message: string } | null> {
  const client = new pg.Client({ host: "127.0.0.1", connectionTimeoutMillis: 5000, ...options });
  // A server that goes away later says so on the idle connection; that is no fault of this one.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return null;
  } catch (error) {
    return {
      code: systemErrorCode(error) ?? "",
      message: error instanceof Error ? error.message : String(error),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

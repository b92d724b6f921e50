import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { z } from "zod";
import type { Instance } from "../../server/platform/instance";
import { OperatorError, systemErrorCode } from "./operator-error";

/** Where the parts of an installation lie under DATA_DIR. */
export interface DataLayout {
  instanceFile: string;
  /** The ports that were picked once. */
  portsFile: string;
  lockFile: string;
  secretsDir: string;
  runDir: string;
  logsDir: string;
  postgresDir: string;
  repositoriesDir: string;
  adminTokenFile: string;
  /** Where web leaves the one-time link while nobody has an account. */
  firstAdminLinkFile: string;
  serviceKeyFile: string;
}

export function dataLayout(dataDir: string): DataLayout {
  return {
    instanceFile: join(dataDir, "instance.json"),
    portsFile: join(dataDir, "ports.json"),
    lockFile: join(dataDir, "run", "stack.lock"),
    secretsDir: join(dataDir, "secrets"),
    runDir: join(dataDir, "run"),
    logsDir: join(dataDir, "logs"),
    postgresDir: join(dataDir, "postgres"),
    repositoriesDir: join(dataDir, "repositories"),
    adminTokenFile: join(dataDir, "admin-token"),
    firstAdminLinkFile: join(dataDir, "first-admin-link"),
    serviceKeyFile: join(dataDir, "secrets", "service-key.json"),
  };
}

/**
 * Makes the folders. DATA_DIR itself may be passed through by everybody, since PostgreSQL runs as another user; what
 * holds secrets, logs and records may be entered by the owner only.
 */
export function prepareDataDir(dataDir: string): DataLayout {
  const layout = dataLayout(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    chmodSync(dataDir, 0o711);
    for (const path of [layout.secretsDir, layout.runDir, layout.logsDir]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chmodSync(path, 0o700);
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (
      code === "EACCES" ||
      code === "EPERM" ||
      code === "EROFS" ||
      code === "ENOTDIR" ||
      code === "EEXIST"
    ) {
      throw new OperatorError(
        `DATA_DIR cannot be written (${code}): make ${dataDir} writable or set DATA_DIR to another folder.`,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
  return layout;
}

/** Takes away what `prepareDataDir` made, as far as nothing has been put into it. */
export function removeEmptyFolders(dataDir: string): void {
  const { secretsDir, runDir, logsDir } = dataLayout(dataDir);
  for (const path of [secretsDir, runDir, logsDir, dataDir]) {
    try {
      rmdirSync(path);
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(systemErrorCode(error) ?? "")) throw error;
    }
  }
}

const instanceSchema = z.object({ id: z.uuid(), suffix: z.string().regex(/^([0-9a-f]{8})?$/) });

/** The installation that lives in this DATA_DIR, or null before its first start. */
export function findInstance(dataDir: string): Instance | null {
  const path = dataLayout(dataDir).instanceFile;
  try {
    return instanceSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw new OperatorError(
      `${path} cannot be understood: put back the file of a backup, or remove it to start a new instance.`,
      {
        cause: error,
      },
    );
  }
}

/** The installation of this DATA_DIR; it is given its id the first time. */
export async function ensureInstance(dataDir: string): Promise<Instance> {
  const found = findInstance(dataDir);
  if (found !== null) return found;
  const instance = { id: randomUUID(), suffix: "" };
  await saveInstance(dataDir, instance);
  return instance;
}

export async function saveInstance(dataDir: string, instance: Instance): Promise<void> {
  await writeWhole(dataLayout(dataDir).instanceFile, `${JSON.stringify(instance, null, 2)}\n`, 0o644);
}

/** Makes the key pair that web signs with; answers its public half. The private half stays in its 0600 file. */
export async function ensureServiceKey(layout: DataLayout): Promise<JWK> {
  const text = await ensureSecret(layout.serviceKeyFile, async () => {
    const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    return JSON.stringify(await exportJWK(privateKey));
  });
  const publicHalf = JSON.parse(text) as JWK;
  delete publicHalf.d;
  return publicHalf;
}

/** A random word of 32 bytes that is made once and kept in a 0600 file. */
export function ensurePassword(layout: DataLayout, name: string): Promise<string> {
  return ensureSecret(join(layout.secretsDir, name), () =>
    Promise.resolve(randomBytes(32).toString("base64url")),
  );
}

async function ensureSecret(path: string, make: () => Promise<string>): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
  const own = `${path}.${process.pid}`;
  await writeFile(own, await make(), { mode: 0o600 });
  try {
    await link(own, path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(own, { force: true });
  }
  return readFile(path, "utf8");
}

/** Writes a file so that a reader and a crash find the old or the new one, never half of it. */
export async function writeWhole(path: string, content: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  await writeFile(own, content, { mode });
  await rename(own, path);
}

/**
 * The folder of the unix sockets: a short path, since the kernel takes no longer ones than about a hundred bytes,
 * 0700 and the owner's own.
 */
export function socketDirOf(instance: Instance): string {
  const uid = process.getuid?.() ?? 0;
  const short = instance.id.slice(0, 8);
  return uid === 0 && process.platform === "linux"
    ? join("/run/rhumbatron", short)
    : join(tmpdir(), `rhumbatron-${uid}-${short}`);
}

export function prepareSocketDir(instance: Instance): string {
  const path = socketDirOf(instance);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.()) {
    throw new OperatorError(`${path} belongs to somebody else: remove it and run this again.`);
  }
  chmodSync(path, 0o700);
  return path;
}

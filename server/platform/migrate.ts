import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { describeError } from "./errors";

/** Held while migrating, so that of several processes that start together one migrates and the others wait. */
const migrationLockKey = 7_272_001;

/**
 * Brings a database to the newest migration: applies what is missing, in order, each in one transaction. Idempotent and
 * safe to run from several processes at once.
 *
 * Shape: rows of `_prisma_migrations`, as Prisma Migrate writes them (checksum: SHA-256 of migration.sql, hex), so
 * `prisma migrate` agrees with what was done here.
 * Errors: throws with the migration's name; that migration is then rolled back and the ones before it stand.
 */
export async function migrateDatabase(databaseUrl: string, migrationsFolder: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLockKey]);
    await client.query(createLedger);
    const applied = await readApplied(client);
    const migrations = await readMigrations(migrationsFolder);
    const unknown = [...applied.keys()].filter(
      (name) => !migrations.some((migration) => migration.name === name),
    );
    if (unknown.length > 0) {
      throw new Error(
        `The database was made by a newer version: it has the migrations ${unknown.join(", ")}.`,
      );
    }
    const done: string[] = [];
    for (const migration of migrations) {
      const checksum = applied.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        done.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(
          `The migration ${migration.name} was changed after it had been applied to this database.`,
        );
      }
    }
    return done;
  } finally {
    await client.end();
  }
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

async function readApplied(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK");
    throw new Error(`The migration ${migration.name} failed: ${describeError(cause)}`, { cause });
  }
}

const createLedger = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

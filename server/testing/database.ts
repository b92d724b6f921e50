import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "pg";
import { createDb, type Db } from "../platform/db";
import { migrateDatabase } from "../platform/migrate";
import { testDatabaseServerUrl } from "./int-environment";

/** A database of its own, empty or migrated, on the test server. */
export interface TestDatabase {
  url: string;
  /** Opens another pool on it, as another process would. All pools are closed by `drop`. */
  open(): Db;
  drop(): Promise<void>;
}

export const migrationsFolder = resolve(import.meta.dirname, "../../prisma/migrations");

/** Makes a database with every migration applied, unless `isEmpty` is asked for. */
export async function createTestDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  if (testDatabaseServerUrl === "") throw new Error("not run: TEST_DATABASE_URL names no PostgreSQL server");
  const name = `rhumbatron_test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(testDatabaseServerUrl);
  url.pathname = `/${name}`;
  const pools: Db[] = [];
  if (options.isEmpty !== true) await migrateDatabase(url.href, migrationsFolder);
  return {
    url: url.href,
    open: () => {
      const db = createDb(url.href);
      pools.push(db);
      return db;
    },
    drop: async () => {
      await Promise.all(pools.map((db) => db.$disconnect()));
      await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: testDatabaseServerUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

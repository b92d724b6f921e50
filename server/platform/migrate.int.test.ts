import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createTestDatabase, migrationsFolder, type TestDatabase } from "../testing/database";
import { migrateDatabase } from "./migrate";

let database: TestDatabase;
let folder: string;

async function prepare(): Promise<void> {
  database = await createTestDatabase({ isEmpty: true });
  folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await cp(migrationsFolder, folder, { recursive: true });
}

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), sql);
}

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

it("applies every migration once, in order, and a second time nothing", async () => {
  await prepare();
  expect((await migrateDatabase(database.url, folder)).length).toBeGreaterThan(0);
  expect(await migrateDatabase(database.url, folder)).toEqual([]);
});

it("applies each migration once when several processes start together", async () => {
  await prepare();
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(database.url, folder)));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
});

it("leaves nothing of a migration that fails, and names it", async () => {
  await prepare();
  await addMigration(
    "99990101000000_broken",
    "CREATE TABLE left_behind (id INT); SELECT no_such_function();",
  );
  await expect(migrateDatabase(database.url, folder)).rejects.toThrow("99990101000000_broken");
  await addMigration("99990101000000_broken", "CREATE TABLE left_behind (id INT);");
  expect(await migrateDatabase(database.url, folder)).toEqual(["99990101000000_broken"]);
});

it("refuses a database whose migration was changed afterwards", async () => {
  await prepare();
  await addMigration("99990101000000_extra", "SELECT 1;");
  await migrateDatabase(database.url, folder);
  await addMigration("99990101000000_extra", "SELECT 2;");
  await expect(migrateDatabase(database.url, folder)).rejects.toThrow("was changed after");
});

it("refuses a database that a newer version made", async () => {
  await prepare();
  await addMigration("99990101000000_newer", "SELECT 1;");
  await migrateDatabase(database.url, folder);
  await rm(join(folder, "99990101000000_newer"), { recursive: true });
  await expect(migrateDatabase(database.url, folder)).rejects.toThrow("newer version");
});

import { join } from "node:path";
import { migrateDatabase } from "../../server/platform/migrate";
import { dataLayout, ensurePassword } from "../stack/data-dir";
import { OperatorError } from "../stack/operator-error";
import { findPorts } from "../stack/ports";
import { requireDatabase } from "../stack/postgres";
import { checkoutRoot, loadStackConfig, type StackConfig } from "../stack/stack-config";
import { runShown } from "../test/suites";

/**
 * Works on the database that this checkout uses: DATABASE_URL, or the stack's own PostgreSQL while it runs. Commands that
 * compare schemas are Prisma's; where its native engine cannot be installed, PRISMA_ENGINE=wasm uses the WebAssembly one.
 */
const usage =
  "Use: npm run db:migrate, npm run db:new -- NAME, npm run db:reset -- --yes, or npm run db:studio.";

async function main(): Promise<number> {
  const [word = "", ...rest] = process.argv.slice(2);
  const databaseUrl = await findDatabaseUrl(await loadStackConfig(process.env));
  const prisma = (...words: string[]): Promise<number> =>
    runShown(process.execPath, ["scripts/prisma.mjs", ...words], { DATABASE_URL: databaseUrl });
  switch (word) {
    case "migrate": {
      await requireDatabase(databaseUrl);
      const applied = await migrateDatabase(databaseUrl, join(checkoutRoot, "prisma", "migrations"));
      console.log(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`);
      return 0;
    }
    case "new": {
      const name = rest[0];
      if (name === undefined) throw new OperatorError(usage);
      return prisma("migrate", "dev", "--create-only", "--name", name);
    }
    case "reset":
      if (!rest.includes("--yes")) {
        throw new OperatorError("This removes every record of the database: say npm run db:reset -- --yes.");
      }
      return prisma("migrate", "reset", "--force");
    case "studio":
      return prisma("studio");
    default:
      throw new OperatorError(usage);
  }
}

async function findDatabaseUrl({ settings, dataDir }: StackConfig): Promise<string> {
  if (settings.DATABASE_URL !== undefined) return settings.DATABASE_URL;
  const layout = dataLayout(dataDir);
  const ports = findPorts(layout.portsFile);
  if (ports === null) {
    throw new OperatorError("There is no database yet: run npm run stack:up, or set DATABASE_URL.");
  }
  const password = await ensurePassword(layout, "postgres-admin-password");
  return `postgresql://postgres:${password}@127.0.0.1:${ports.postgres}/rhumbatron`;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}

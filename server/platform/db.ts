import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient, type Prisma } from "../../generated/prisma/client";

/** The pooled client that a process holds for its life. Only files named store.ts use it. */
export type Db = PrismaClient;

/** Where a statement runs: alone, or inside the transaction that its caller opened. */
export type DbOrTransaction = PrismaClient | Prisma.TransactionClient;

/** Inside one transaction that its caller opened; whether it is kept is the caller's to say. */
export type Transaction = Prisma.TransactionClient;

/** Runs `work` in one transaction: when it throws, nothing of it is kept. */
export type RunInTransaction = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

export function createTransactions(db: Db): RunInTransaction {
  return (work) => db.$transaction(work);
}

/** Opens a pool of at most `connectionsMax` connections; the first query connects. Units: milliseconds, connections. */
export function createDb(databaseUrl: string, connectionsMax = 10): Db {
  return new PrismaClient({
    adapter: new PrismaPg({
      connectionString: databaseUrl,
      max: connectionsMax,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
    }),
    transactionOptions: { maxWait: 5_000, timeout: 15_000 },
  });
}

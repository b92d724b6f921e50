import type { DbOrTransaction } from "../../platform/db";

/** The last acknowledged state of one path. A null content means that it was deleted, with everything below it. */
export interface FileState {
  path: string;
  content: { bytes: Uint8Array; mode: number } | null;
}

/** What tools did to files, kept so that a lost Sandbox loses none of it. */
export interface FileStore {
  /** Holds every other writer of this Run's files back until the transaction ends. */
  lock(runId: string): Promise<void>;
  recordWrite(
    runId: string,
    file: { path: string; bytes: Uint8Array; sha256: string; mode: number; seq: number },
  ): Promise<void>;
  /** Forgets what was written at the path and below it, and records that it is gone. */
  recordDelete(runId: string, file: { path: string; seq: number }): Promise<void>;
  /** In the order in which they have to be done again. */
  list(runId: string): AsyncIterable<FileState>;
}

export function createFileStore(db: DbOrTransaction): FileStore {
  return {
    lock: async (runId) => {
      await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`files ${runId}`}, 0))`;
    },
    recordWrite: async (runId, { path, bytes, sha256, mode, seq }) => {
      await db.blob.createMany({ data: [{ sha256, bytes: Buffer.from(bytes) }], skipDuplicates: true });
      const state = { sha256, mode, seq };
      await db.fileState.upsert({
        where: { runId_path: { runId, path } },
        create: { runId, path, ...state },
        update: state,
        select: { seq: true },
      });
    },
    recordDelete: async (runId, { path, seq }) => {
      // Not Prisma's startsWith, for which `_` and `%` in a path stand for other characters.
      await db.$executeRaw`
        DELETE FROM file_states
        WHERE run_id = ${runId}::uuid AND (path = ${path} OR starts_with(path, ${`${path}/`}))`;
      await db.fileState.create({ data: { runId, path, sha256: null, mode: null, seq } });
    },
    list: async function* (runId) {
      const rows = await db.fileState.findMany({
        where: { runId },
        orderBy: { seq: "asc" },
        select: { path: true, sha256: true, mode: true },
      });
      for (const { path, sha256, mode } of rows) {
        if (sha256 === null) yield { path, content: null };
        else {
          const { bytes } = await db.blob.findUniqueOrThrow({ where: { sha256 } });
          yield { path, content: { bytes, mode: mode ?? 0o644 } };
        }
      }
    },
  };
}

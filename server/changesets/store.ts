import type { Scope } from "../access/scope";
import type { DbOrTransaction, Transaction } from "../platform/db";
import { toStorableText } from "../platform/storable-text";
import { supersedable } from "./state";
import type { ChangeSetFilter, ChangeSetRecord, ChangeSetState } from "./types";

/** The changesets table. A scope that does not reach a row makes it absent. */
export interface ChangeSetStore {
  find(id: string, scope: Scope): Promise<ChangeSetRecord | null>;
  findByRun(runId: string): Promise<ChangeSetRecord | null>;
  /** All versions, in their order. */
  listSeries(seriesId: string): Promise<ChangeSetRecord[]>;
  /** Oldest first; `after` is the id of the last one of the page before. */
  list(
    input: ChangeSetFilter & { scope: Scope; after: string | null; limit: number },
  ): Promise<ChangeSetRecord[]>;
}

/** What is written of the changesets table, inside the transaction that its caller opened. */
export interface ChangeSetWriter {
  findByRun(runId: string): Promise<ChangeSetRecord | null>;
  /**
   * Holds a series until the transaction ends and gives its base and its highest version, so that of two revisions that
   * complete at once the second sees the first.
   */
  lockSeries(seriesId: string): Promise<{ version: number; baseCommit: string }>;
  /** False when the Run has a ChangeSet already; nothing is written then. */
  create(record: ChangeSetRecord): Promise<boolean>;
  /** Ends the earlier versions of a series that nobody has decided on for good; gives their ids. */
  supersede(
    seriesId: string,
    belowVersion: number,
  ): Promise<Pick<ChangeSetRecord, "id" | "seriesId" | "version">[]>;
  /** The ChangeSet as it is now; nobody else changes it until the transaction ends. Throws where there is none. */
  lock(id: string): Promise<ChangeSetRecord>;
  /** All ChangeSets of a Task as they are now; nobody else changes one until the transaction ends. */
  lockTask(taskId: string): Promise<ChangeSetRecord[]>;
  /** False when it was not in the state `from`; nothing is changed then. */
  move(id: string, from: ChangeSetState, to: ChangeSetState): Promise<boolean>;
}

const fields = {
  id: true,
  runId: true,
  taskId: true,
  changeId: true,
  projectId: true,
  seriesId: true,
  version: true,
  state: true,
  title: true,
  summary: true,
  baseCommit: true,
  headCommit: true,
  filesChanged: true,
  insertions: true,
  deletions: true,
  createdAt: true,
} as const;

export function createChangeSetStore(db: DbOrTransaction): ChangeSetStore {
  const find = (id: string, scope: Scope): Promise<ChangeSetRecord | null> =>
    db.changeSet.findFirst({ where: { AND: [{ id }, within(scope)] }, select: fields });
  return {
    find,
    findByRun: (runId) => db.changeSet.findUnique({ where: { runId }, select: fields }),
    listSeries: (seriesId) =>
      db.changeSet.findMany({ where: { seriesId }, select: fields, orderBy: { version: "asc" } }),
    list: async ({ scope, after, limit, ...filter }) => {
      // A cursor that the scope does not reach ends the list, as one that does not exist.
      if (after !== null && (await find(after, scope)) === null) return [];
      return db.changeSet.findMany({
        where: { AND: [withoutNulls(filter), within(scope)] },
        select: fields,
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      });
    },
  };
}

export function createChangeSetWriter(tx: Transaction): ChangeSetWriter {
  return {
    findByRun: (runId) => tx.changeSet.findUnique({ where: { runId }, select: fields }),
    lockSeries: async (seriesId) => {
      await tx.$queryRaw`SELECT 1 FROM changesets WHERE series_id = ${seriesId}::uuid AND version = 1 FOR UPDATE`;
      // A statement of its own: only one that begins after the lock was given sees what its last holder wrote.
      return tx.changeSet.findFirstOrThrow({
        where: { seriesId },
        orderBy: { version: "desc" },
        select: { version: true, baseCommit: true },
      });
    },
    create: async (record) => {
      const { count } = await tx.changeSet.createMany({
        data: { ...record, title: toStorableText(record.title), summary: toStorableText(record.summary) },
        skipDuplicates: true,
      });
      return count === 1;
    },
    supersede: async (seriesId, belowVersion) => {
      const rows = await tx.changeSet.updateManyAndReturn({
        where: { seriesId, version: { lt: belowVersion }, state: { in: [...supersedable] } },
        data: { state: "superseded" },
        select: { id: true, seriesId: true, version: true },
      });
      return rows;
    },
    lock: async (id) => {
      await tx.$queryRaw`SELECT 1 FROM changesets WHERE id = ${id}::uuid FOR UPDATE`;
      return tx.changeSet.findUniqueOrThrow({ where: { id }, select: fields });
    },
    lockTask: async (taskId) => {
      // A series is locked from its first version on, as a completion does it: the two never wait for each other crosswise.
      await tx.$queryRaw`
        SELECT 1 FROM changesets WHERE task_id = ${taskId}::uuid ORDER BY series_id, version FOR UPDATE`;
      return tx.changeSet.findMany({ where: { taskId }, select: fields, orderBy: { version: "asc" } });
    },
    move: async (id, from, to) => {
      const { count } = await tx.changeSet.updateMany({ where: { id, state: from }, data: { state: to } });
      return count === 1;
    },
  };
}

function within(scope: Scope): { projectId?: string; changeId?: string } {
  return withoutNulls({ projectId: scope.projectId, changeId: scope.changeId });
}

function withoutNulls<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}

import type { Scope } from "../../access/scope";
import type { DbOrTransaction } from "../../platform/db";
import { toStorableJson, toStorableText, type JsonValue } from "../../platform/storable-text";
import { canBecome, liveStates } from "./state";
import type { RunEventKind, RunEventRecord, RunRecord, RunState } from "./types";

/** What may be changed of a Run beside its state. */
export type RunPatch = Partial<
  Omit<RunRecord, "id" | "taskId" | "changeId" | "projectId" | "actorId" | "uid">
>;

/** What must still hold of a Run, beside its state, for a change to be made. */
export type RunCondition = Partial<
  Pick<RunRecord, "lastActivityAt" | "sessionId" | "stateDeadlineAt" | "runtimeId">
>;

/** Whose Runs are looked at: a Scope, and for an agent only those that its own token opened. */
export interface RunScope extends Scope {
  actorId: string | null;
}

/** All of them, for jobs that act for nobody. */
export const everyRun: RunScope = { projectId: null, changeId: null, actorId: null };

/** Runs, their slots and uids, and their events. */
export interface RunStore {
  /** Counts the slot and takes it in one statement; false when all are taken. */
  takeSlot(changeId: string, settingMax: number): Promise<boolean>;
  freeSlot(changeId: string): Promise<void>;
  /** The next uid of a Project that is `ready`; null when it is not. */
  takeUid(projectId: string): Promise<number | null>;

  create(run: RunRecord): Promise<void>;
  /** Removes a Run that never opened, with its events. */
  remove(id: string): Promise<void>;
  find(id: string, scope: RunScope): Promise<RunRecord | null>;
  list(
    input: RunScope & { taskId: string | null; after: string | null; limit: number },
  ): Promise<RunRecord[]>;
  listLive(filter?: { projectId?: string; changeId?: string }): Promise<RunRecord[]>;
  /** Ended ones whose directory, processes or fork may still be there. */
  listUncleaned(): Promise<RunRecord[]>;
  countSlots(changeId: string): Promise<{ open: number; max: number | null }>;
  /** Changes a Run that is still in one of the states `from`; says whether it did. */
  move(id: string, from: readonly RunState[], patch: RunPatch, onlyIf?: RunCondition): Promise<boolean>;

  /** Writes the next event. The Run's row is held until the transaction ends, so the numbers have no gap. */
  appendEvent(
    runId: string,
    event: { kind: RunEventKind; at: Date; data: { [key: string]: JsonValue } },
  ): Promise<number>;
  listEvents(
    runId: string,
    page: { after: number; kinds: readonly RunEventKind[] | null; limit: number },
  ): Promise<RunEventRecord[]>;
  lastEventSeq(runId: string): Promise<number>;
}

export function createRunStore(db: DbOrTransaction): RunStore {
  return { ...slotsOf(db), ...runsOf(db), ...eventsOf(db) };
}

function slotsOf(db: DbOrTransaction): Pick<RunStore, "takeSlot" | "freeSlot" | "takeUid" | "countSlots"> {
  return {
    takeSlot: async (changeId, settingMax) => {
      const count = await db.$executeRaw`
        UPDATE changes SET open_workspaces = open_workspaces + 1
        WHERE id = ${changeId}::uuid
          AND open_workspaces < least(coalesce(max_active_sandboxes, ${settingMax}::int), ${settingMax}::int)`;
      return count === 1;
    },
    freeSlot: async (changeId) => {
      await db.change.update({
        where: { id: changeId },
        data: { openWorkspaces: { decrement: 1 } },
        select: { id: true },
      });
    },
    takeUid: async (projectId) => {
      const rows = await db.$queryRaw<{ uid: number }[]>`
        UPDATE projects SET next_run_uid = next_run_uid + 1
        WHERE id = ${projectId}::uuid AND state = 'ready'
        RETURNING next_run_uid - 1 AS uid`;
      return rows[0]?.uid ?? null;
    },
    countSlots: async (changeId) => {
      const change = await db.change.findUniqueOrThrow({
        where: { id: changeId },
        select: { openWorkspaces: true, maxActiveSandboxes: true },
      });
      return { open: change.openWorkspaces, max: change.maxActiveSandboxes };
    },
  };
}

function runsOf(
  db: DbOrTransaction,
): Pick<RunStore, "create" | "remove" | "find" | "list" | "listLive" | "listUncleaned" | "move"> {
  const within = (scope: RunScope): { projectId?: string; changeId?: string; actorId?: string } => ({
    ...(scope.projectId === null ? {} : { projectId: scope.projectId }),
    ...(scope.changeId === null ? {} : { changeId: scope.changeId }),
    ...(scope.actorId === null ? {} : { actorId: scope.actorId }),
  });
  const omit = { nextEventSeq: true } as const;
  const find: RunStore["find"] = (id, scope) =>
    db.run.findFirst({ where: { AND: [{ id }, within(scope)] }, omit });
  return {
    create: async (run) => {
      await db.run.create({ data: run });
    },
    remove: async (id) => {
      await db.runEvent.deleteMany({ where: { runId: id } });
      await db.run.delete({ where: { id } });
    },
    find,
    list: async ({ taskId, after, limit, ...scope }) => {
      // A cursor that the scope does not reach says no more than one that does not exist.
      if (after !== null && (await find(after, scope)) === null) return [];
      return db.run.findMany({
        where: { AND: [within(scope), taskId === null ? {} : { taskId }] },
        omit,
        orderBy: [{ openedAt: "asc" }, { id: "asc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      });
    },
    listLive: (filter = {}) =>
      db.run.findMany({
        where: {
          state: { in: [...liveStates] },
          ...filter,
        },
        omit,
        orderBy: { openedAt: "asc" },
      }),
    listUncleaned: () =>
      db.run.findMany({
        where: { state: { notIn: [...liveStates] }, forkRemovedAt: null },
        omit,
        orderBy: { openedAt: "asc" },
      }),
    move: async (id, from, patch, onlyIf) => {
      const { state } = patch;
      const illegal = state === undefined ? [] : from.filter((before) => !canBecome(before, state));
      if (illegal.length > 0)
        throw new Error(`A Run that is ${illegal.join(" or ")} never becomes ${state}.`);
      const { count } = await db.run.updateMany({
        where: { id, state: { in: [...from] }, ...onlyIf },
        data: storablePatch(patch),
      });
      return count === 1;
    },
  };
}

function eventsOf(db: DbOrTransaction): Pick<RunStore, "appendEvent" | "listEvents" | "lastEventSeq"> {
  return {
    appendEvent: async (runId, { kind, at, data }) => {
      const { nextEventSeq } = await db.run.update({
        where: { id: runId },
        data: { nextEventSeq: { increment: 1 } },
        select: { nextEventSeq: true },
      });
      const seq = nextEventSeq - 1;
      await db.runEvent.create({ data: { runId, seq, kind, at, data: toStorableJson(data) } });
      return seq;
    },
    listEvents: async (runId, { after, kinds, limit }) => {
      const rows = await db.runEvent.findMany({
        where: { runId, seq: { gt: after }, ...(kinds === null ? {} : { kind: { in: [...kinds] } }) },
        orderBy: { seq: "asc" },
        take: limit,
      });
      return rows.map((row) => ({
        seq: row.seq,
        at: row.at,
        kind: row.kind as RunEventKind,
        data: row.data as { [key: string]: JsonValue },
      }));
    },
    lastEventSeq: async (runId) => {
      const { nextEventSeq } = await db.run.findUniqueOrThrow({
        where: { id: runId },
        select: { nextEventSeq: true },
      });
      return nextEventSeq - 1;
    },
  };
}

function storablePatch(patch: RunPatch): RunPatch {
  const texts = ["endReason", "proposalTitle", "proposalSummary"] as const;
  const stored = { ...patch };
  for (const key of texts) {
    const text = stored[key];
    if (typeof text === "string") stored[key] = toStorableText(text);
  }
  return stored;
}

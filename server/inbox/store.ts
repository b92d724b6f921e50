import type { Prisma } from "../../generated/prisma/client";
import type { ChangeSetState } from "../changesets/types";
import type { DbOrTransaction } from "../platform/db";
import { toStorableText } from "../platform/storable-text";
import { liveStates } from "../workspaces/runs/state";
import type { InboxFilter, InboxGroup, InboxRow } from "./types";

type Question = InboxFilter & { since: Date };

/** Rows of other domains' tables, as the inbox shows them. */
export interface InboxStore {
  count(question: Question): Promise<number>;
  /** `after` is the id of the last row of the page before; one that does not exist ends the list. */
  list(question: Question & { after: string | null; limit: number }): Promise<InboxRow[]>;
}

const taskFields = {
  id: true,
  title: true,
  kind: true,
  change: {
    select: {
      id: true,
      title: true,
      maxActiveSandboxes: true,
      openWorkspaces: true,
      project: { select: { id: true, name: true } },
    },
  },
} as const;

const runFields = {
  id: true,
  actorId: true,
  state: true,
  openedAt: true,
  lastActivityAt: true,
  endedAt: true,
  endKind: true,
  endReason: true,
} as const;

const changeSetFields = {
  id: true,
  version: true,
  state: true,
  title: true,
  filesChanged: true,
  insertions: true,
  deletions: true,
  createdAt: true,
  task: { select: taskFields },
  run: { select: runFields },
  merges: { select: { outcome: true }, orderBy: { begunAt: "desc" }, take: 1 },
  _count: { select: { threads: { where: { state: "open" } } } },
} as const satisfies Prisma.ChangeSetSelect;

type ChangeSetRow = Prisma.ChangeSetGetPayload<{ select: typeof changeSetFields }>;
type RunRow = Prisma.RunGetPayload<{ select: typeof runFields & { task: { select: typeof taskFields } } }>;

/** A row before its agent has a name. */
type UnnamedRow = Omit<InboxRow, "agentName"> & { actorId: string };

const statesOf: Record<"needs_review" | "changes_requested" | "approved", readonly ChangeSetState[]> = {
  needs_review: ["proposed"],
  changes_requested: ["changes_requested"],
  approved: ["approved", "mergeable", "merge_failed"],
};

export function createInboxStore(db: DbOrTransaction): InboxStore {
  const changeSetsOf = async (
    group: keyof typeof statesOf,
    question: Question,
  ): Promise<Prisma.ChangeSetWhereInput> => ({
    state: { in: [...statesOf[group]] },
    ...(group === "changes_requested" ? { id: { notIn: await listUnderRevision(db) } } : {}),
    task: taskFilter(question),
  });
  return {
    count: async (question) => {
      const { group } = question;
      if (group === "merged") return db.merge.count({ where: mergedFilter(question) });
      if (group === "working" || group === "stuck")
        return db.run.count({ where: runFilter(group, question) });
      return db.changeSet.count({ where: await changeSetsOf(group, question) });
    },
    list: async ({ after, limit, ...question }) => {
      const { group } = question;
      if (group === "merged") return withAgents(db, await listMerged(db, question, after, limit));
      if (group === "working" || group === "stuck") {
        return withAgents(db, await listRuns(db, group, question, after, limit));
      }
      const where = await changeSetsOf(group, question);
      return withAgents(db, await listChangeSets(db, where, after, limit));
    },
  };
}

async function listChangeSets(
  db: DbOrTransaction,
  where: Prisma.ChangeSetWhereInput,
  after: string | null,
  limit: number,
): Promise<UnnamedRow[]> {
  const last =
    after === null
      ? null
      : await db.changeSet.findUnique({ where: { id: after }, select: { createdAt: true } });
  if (after !== null && last === null) return [];
  const rows = await db.changeSet.findMany({
    where: {
      AND: [where],
      ...(after === null || last === null
        ? {}
        : {
            OR: [{ createdAt: { gt: last.createdAt } }, { createdAt: last.createdAt, id: { gt: after } }],
          }),
    },
    select: changeSetFields,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limit,
  });
  return rows.map((row) => toChangeSetRow(row, row.id, row.createdAt));
}

async function listRuns(
  db: DbOrTransaction,
  group: "working" | "stuck",
  question: Question,
  after: string | null,
  limit: number,
): Promise<UnnamedRow[]> {
  const key = group === "working" ? "openedAt" : "endedAt";
  const last =
    after === null
      ? null
      : await db.run.findUnique({ where: { id: after }, select: { openedAt: true, endedAt: true } });
  if (after !== null && last === null) return [];
  const lastAt = last?.[key] ?? null;
  const rows = await db.run.findMany({
    where: {
      AND: [runFilter(group, question)],
      ...(after === null || lastAt === null
        ? {}
        : { OR: [{ [key]: { lt: lastAt } }, { [key]: lastAt, id: { lt: after } }] }),
    },
    select: { ...runFields, task: { select: taskFields } },
    orderBy: [{ [key]: "desc" }, { id: "desc" }],
    take: limit,
  });
  return rows.map((row) => toRunRow(row, row[key] ?? row.lastActivityAt));
}

async function listMerged(
  db: DbOrTransaction,
  question: Question,
  after: string | null,
  limit: number,
): Promise<UnnamedRow[]> {
  const last =
    after === null ? null : await db.merge.findUnique({ where: { id: after }, select: { finishedAt: true } });
  if (after !== null && last === null) return [];
  const lastAt = last?.finishedAt ?? null;
  const rows = await db.merge.findMany({
    where: {
      AND: [mergedFilter(question)],
      ...(after === null || lastAt === null
        ? {}
        : { OR: [{ finishedAt: { lt: lastAt } }, { finishedAt: lastAt, id: { lt: after } }] }),
    },
    select: { id: true, finishedAt: true, begunAt: true, changeSet: { select: changeSetFields } },
    orderBy: [{ finishedAt: "desc" }, { id: "desc" }],
    take: limit,
  });
  return rows.map((row) => toChangeSetRow(row.changeSet, row.id, row.finishedAt ?? row.begunAt));
}

/** ChangeSets that a live Run works on again: there it is the agent's turn. */
async function listUnderRevision(db: DbOrTransaction): Promise<string[]> {
  const rows = await db.run.findMany({
    where: { state: { in: [...liveStates] }, revisesChangeSetId: { not: null } },
    select: { revisesChangeSetId: true },
  });
  return rows.flatMap(({ revisesChangeSetId }) => revisesChangeSetId ?? []);
}

/** Stuck is what broke and left its Task with nothing: no ChangeSet, and no Run that tries again. */
function runFilter(
  group: Extract<InboxGroup, "working" | "stuck">,
  question: Question,
): Prisma.RunWhereInput {
  if (group === "working") return { state: { in: [...liveStates] }, task: taskFilter(question) };
  return {
    endKind: { in: ["fail_task", "lost", "expired"] },
    endedAt: { gte: question.since },
    task: {
      ...taskFilter(question),
      changeSets: { none: {} },
      runs: { none: { state: { in: [...liveStates] } } },
    },
  };
}

function mergedFilter(question: Question): Prisma.MergeWhereInput {
  return {
    outcome: "merged",
    finishedAt: { gte: question.since },
    changeSet: { task: taskFilter(question) },
  };
}

function taskFilter({ projectId, search }: InboxFilter): Prisma.TaskWhereInput {
  const words = { contains: toStorableText(search ?? ""), mode: "insensitive" } as const;
  return {
    ...(projectId === null ? {} : { projectId }),
    ...(search === null
      ? {}
      : {
          OR: [
            { title: words },
            { changeSets: { some: { title: words } } },
            { change: { title: words } },
            { change: { project: { name: words } } },
          ],
        }),
  };
}

async function withAgents(db: DbOrTransaction, rows: UnnamedRow[]): Promise<InboxRow[]> {
  const tokens = await db.token.findMany({
    where: { id: { in: rows.map(({ actorId }) => actorId) } },
    select: { id: true, label: true },
  });
  const names = new Map(tokens.map(({ id, label }) => [id, label]));
  return rows.map(({ actorId, ...row }) => ({ ...row, agentName: names.get(actorId) ?? null }));
}

function toChangeSetRow(row: ChangeSetRow, id: string, at: Date): UnnamedRow {
  const { run, task, merges, _count } = row;
  return {
    ...toRunRow({ ...run, task }, at),
    id,
    changeSet: {
      id: row.id,
      version: row.version,
      state: row.state,
      title: row.title,
      filesChanged: row.filesChanged,
      insertions: row.insertions,
      deletions: row.deletions,
      unresolvedThreads: _count.threads,
      mergeOutcome: merges[0]?.outcome ?? null,
    },
  };
}

function toRunRow({ task, ...run }: RunRow, at: Date): UnnamedRow {
  const { change } = task;
  return {
    id: run.id,
    actorId: run.actorId,
    projectId: change.project.id,
    projectName: change.project.name,
    changeId: change.id,
    changeTitle: change.title,
    maxActiveSandboxes: change.maxActiveSandboxes,
    openWorkspaces: change.openWorkspaces,
    taskId: task.id,
    taskTitle: task.title,
    taskKind: task.kind,
    at,
    run: {
      id: run.id,
      state: run.state,
      lastActivityAt: run.lastActivityAt,
      endKind: run.endKind,
      endReason: run.endReason,
    },
    changeSet: null,
  };
}

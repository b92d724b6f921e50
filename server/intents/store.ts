import type { Scope } from "../access/scope";
import type { DbOrTransaction } from "../platform/db";
import { toStorableText } from "../platform/storable-text";
import type { IntentFilter, IntentRecord } from "./types";

/** The intents table. A scope that does not reach a row makes it absent. */
export interface IntentStore {
  create(intent: IntentRecord): Promise<void>;
  /** Oldest first; `after` is the id of the last one of the page before. */
  list(input: IntentFilter & { scope: Scope; after: string | null; limit: number }): Promise<IntentRecord[]>;
  /** Whether a workspace of that Task was refused with this id. */
  isRefusalOf(refusalId: string, taskId: string): Promise<boolean>;
}

const fields = {
  id: true,
  taskId: true,
  changeId: true,
  projectId: true,
  actorId: true,
  title: true,
  body: true,
  refusalId: true,
  createdAt: true,
} as const;

export function createIntentStore(db: DbOrTransaction): IntentStore {
  return {
    create: async (intent) => {
      await db.intent.create({
        data: { ...intent, title: toStorableText(intent.title), body: toStorableText(intent.body) },
        select: { id: true },
      });
    },
    list: async ({ scope, after, limit, ...filter }) => {
      const reached = within(scope);
      // A cursor that the scope does not reach ends the list, as one that does not exist.
      if (after !== null && (await db.intent.count({ where: { AND: [{ id: after }, reached] } })) === 0)
        return [];
      return db.intent.findMany({
        where: { AND: [within(filter), reached] },
        select: fields,
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      });
    },
    isRefusalOf: async (refusalId, taskId) => {
      const found = await db.event.count({
        where: { id: refusalId, type: "workspace.refused", data: { path: ["taskId"], equals: taskId } },
      });
      return found === 1;
    },
  };
}

function within(filter: { projectId: string | null; changeId: string | null; taskId?: string | null }): {
  projectId?: string;
  changeId?: string;
  taskId?: string;
} {
  return {
    ...(filter.projectId === null ? {} : { projectId: filter.projectId }),
    ...(filter.changeId === null ? {} : { changeId: filter.changeId }),
    ...(filter.taskId === null || filter.taskId === undefined ? {} : { taskId: filter.taskId }),
  };
}

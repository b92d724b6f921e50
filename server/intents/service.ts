import type { Scope } from "../access/scope";
import type { Events } from "../events/service";
import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { TaskRecord } from "../projects/types";
import type { IntentStore } from "./store";
import type { IntentFilter, IntentRecord } from "./types";

/** What agents would do where no workspace was to be had. */
export interface Intents {
  /**
   * Writes an Intent and its event. `task` is one that the caller may see. The same refusal may be answered more than
   * once. Errors: `event.not_found` when `refusalId` is no refusal of that Task.
   */
  declare(input: NewIntent): Promise<IntentRecord>;
  /** Oldest first. */
  list(input: IntentFilter & { scope: Scope; after: string | null; limit: number }): Promise<IntentRecord[]>;
}

export interface NewIntent {
  task: TaskRecord;
  title: string;
  body: string;
  refusalId: string | null;
  actorId: string;
}

interface IntentsDeps {
  store: IntentStore;
  storeIn: (tx: Transaction) => IntentStore;
  transaction: RunInTransaction;
  events: Events;
  clock: Clock;
  ids: Ids;
}

export function createIntents(deps: IntentsDeps): Intents {
  const { store, storeIn, transaction, events, clock, ids } = deps;
  return {
    list: (input) => store.list(input),
    declare: async ({ task, title, body, refusalId, actorId }) => {
      if (refusalId !== null && !(await store.isRefusalOf(refusalId, task.id))) {
        throw new DomainError("event.not_found", "refusalId: there is no such refusal of this Task.", {
          field: "refusalId",
        });
      }
      const intent: IntentRecord = {
        id: ids.uuid(),
        taskId: task.id,
        changeId: task.changeId,
        projectId: task.projectId,
        actorId,
        title,
        body,
        refusalId,
        createdAt: clock.now(),
      };
      await transaction(async (tx) => {
        await storeIn(tx).create(intent);
        await events.append(tx, {
          type: "intent.declared",
          at: intent.createdAt,
          projectId: intent.projectId,
          changeId: intent.changeId,
          data: { intentId: intent.id, taskId: intent.taskId, title, refusalId, actorId },
        });
      });
      return intent;
    },
  };
}

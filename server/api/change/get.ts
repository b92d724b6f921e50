import { scopeOf } from "../../access/scope";
import { toChangeSetView } from "../change-set/schema";
import { idInput } from "../fields";
import { toIntentView } from "../intent/schema";
import { readAll } from "../page";
import { toRunView } from "../run/schema";
import { toTaskView } from "../task/schema";
import { procedure } from "../trpc";
import { changeDetail, toChangeView } from "./schema";

/** A Change with its slots, Tasks, Runs, ChangeSets and Intents. An agent sees its own Runs only. */
export const get = procedure("all")
  .input(idInput)
  .output(changeDetail)
  .query(async ({ ctx, input }) => {
    const { projects, workspaces, changeSets, intents, meter, settings } = ctx.deps;
    const scope = scopeOf(ctx.caller);
    const change = await projects.getChange(input.id, scope);
    const filter = { projectId: null, changeId: change.id, taskId: null, scope };
    const [slots, tasks, runs, proposed, declared, charged] = await Promise.all([
      workspaces.slots(change.id),
      readAll((page) => projects.listTasks(change.id, scope, page)),
      readAll((page) => workspaces.listRuns(ctx.caller, { taskId: null, changeId: change.id, ...page })),
      readAll((page) => changeSets.list({ ...filter, state: null, ...page })),
      readAll((page) => intents.list({ ...filter, ...page })),
      meter.secondsByChange([change.id]),
    ]);
    return {
      ...toChangeView(change, settings),
      slots: {
        max: slots.max,
        open: slots.open,
        workspaces: slots.workspaces.map(({ id, taskId, state, openedAt }) => ({
          runId: id,
          taskId,
          state,
          openedAt: openedAt.toISOString(),
        })),
      },
      tasks: tasks.map(toTaskView),
      runs: runs.map(toRunView),
      changeSets: proposed.map(toChangeSetView),
      intents: declared.map(toIntentView),
      chargedSeconds: charged.get(change.id)?.chargedSeconds ?? 0,
      isSettled: charged.get(change.id)?.isSettled ?? true,
    };
  });

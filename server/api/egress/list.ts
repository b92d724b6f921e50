import { z } from "zod";
import type { Caller } from "../../access/types";
import { everything } from "../../access/scope";
import type { RefusalSummary } from "../../egress/refusals";
import { refusalReasons } from "../../egress/types";
import type { ApiDeps } from "../context";
import { actorView, count, time } from "../fields";
import { orNull } from "../or-null";
import { procedure } from "../trpc";

/** A page shows no more; what was refused before is in egress's log. */
const refusedMax = 100;

const entryView = z.object({
  host: z.string(),
  source: z.enum(["environment", "setting"]),
  /** The one address that a `name=address` entry of the environment lets through; null for all others. */
  address: z.string().nullable(),
  addedBy: actorView.nullable(),
  addedAt: time.nullable(),
});

const refusedView = z.object({
  /** Null when the target could not be read as a host name. */
  host: z.string().nullable(),
  port: count.nullable(),
  reason: z.enum(refusalReasons),
  count,
  lastAt: time,
  projectId: z.uuid().nullable(),
  projectName: z.string().nullable(),
  /** The Run that said it was asking; null when it did not say, or is no Run of this Project. */
  runId: z.uuid().nullable(),
});

const egressView = z.object({
  asOf: time,
  entries: z.array(entryView),
  /** False while egress does not answer: `refused` is empty then. */
  isRefusedKnown: z.boolean(),
  /** Since egress started, newest first, at most 100 kinds. */
  refused: z.array(refusedView),
});

/** What sandboxes may reach, and what they lately asked for in vain. */
export const list = procedure("admin")
  .input(z.strictObject({}).prefault({}))
  .output(egressView)
  .query(async ({ ctx }) => {
    const { allowlist, refusals, clock } = ctx.deps;
    const [entries, recent] = await Promise.all([allowlist.list(), refusals.recent()]);
    return {
      asOf: clock.now().toISOString(),
      entries: entries.map((entry) =>
        entry.source === "environment"
          ? { ...entry, addedBy: null, addedAt: null }
          : { ...entry, address: null, addedAt: entry.addedAt.toISOString() },
      ),
      isRefusedKnown: recent !== null,
      refused: await Promise.all(
        (recent ?? []).slice(0, refusedMax).map((refusal) => toRefusedView(ctx.deps, ctx.caller, refusal)),
      ),
    };
  });

async function toRefusedView(
  { projects, workspaces }: ApiDeps,
  caller: Caller,
  { sandboxId, proxyUser, ...refusal }: RefusalSummary,
): Promise<z.output<typeof refusedView>> {
  const projectId = sandboxId?.slice("proj-".length) ?? null;
  const project = projectId === null ? null : await orNull(projects.getProject(projectId, everything));
  const runId = z.uuid().safeParse(proxyUser).data ?? null;
  const run = runId === null ? null : await orNull(workspaces.getRun(caller, runId));
  return {
    ...refusal,
    projectId,
    projectName: project?.name ?? null,
    // Any process in a Sandbox can name another's Run; one of another Project is surely not the one that asked.
    runId: run !== null && run.projectId === projectId ? run.id : null,
  };
}

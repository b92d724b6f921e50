import { z } from "zod";
import { DomainError } from "../../platform/errors";
import { parseSandboxId } from "../../sandboxd/sandbox-id";
import type { SandboxId, SandboxRecord } from "../../sandboxd/types";
import { runState } from "../../workspaces/schema";
import type { ApiDeps } from "../context";
import { count, time } from "../fields";
import { orNull } from "../or-null";

/** A Sandbox is named by its sandbox ID. */
export const sandboxIdInput = z.strictObject({
  id: z
    .string()
    .toLowerCase()
    .regex(/^proj-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "is not a sandbox ID, proj-<uuid>"),
});

/** What was observed of a Sandbox at `asOf`. */
export const sandboxView = z.object({
  id: z.string(),
  projectId: z.uuid(),
  projectName: z.string(),
  asOf: time,
  state: z.enum(["starting", "live", "removing", "gone", "failed"]),
  /** Names this materialisation; it changes whenever the Sandbox is started anew. */
  runtimeId: z.string().nullable(),
  runtime: z.enum(["runc", "runsc"]),
  imageDigest: z.string().nullable(),
  startedAt: time.nullable(),
  limits: z.object({ cpus: z.number(), memoryBytes: count, processes: count, diskBytes: count }),
  /** Null when it is not live. */
  usage: z
    .object({ cpuPercent: z.number(), memoryBytes: count, processes: count, diskBytes: count })
    .nullable(),
  runningCommands: count,
  /** The Runs of its Project that have not ended. */
  runs: z.array(
    z.object({
      runId: z.uuid(),
      taskId: z.uuid(),
      taskTitle: z.string(),
      changeId: z.uuid(),
      state: runState,
      lastActivityAt: time,
    }),
  ),
  /** When it may be removed if nothing happens; null while a command runs and when it is not live. */
  idleDeadlineAt: time.nullable(),
  endReason: z
    .enum(["idle", "removed", "out_of_memory", "disk_full", "engine_restarted", "drifted", "lost"])
    .nullable(),
  detail: z.string().nullable(),
  /** When it was gone; null before, and where sandboxd does not say. */
  endedAt: time.nullable(),
});

/** Sandboxes as the API shows them; each Project is asked for once, however many of its Sandboxes went away. */
export async function toSandboxViews(
  deps: ApiDeps,
  sandboxes: readonly SandboxRecord[],
  asOf: Date,
): Promise<z.output<typeof sandboxView>[]> {
  const projectIds = new Set(sandboxes.map(projectIdOf));
  const found = await Promise.all(
    [...projectIds].map(async (projectId) => [projectId, await findProjectOf(deps, projectId)] as const),
  );
  const projects = new Map(found);
  return sandboxes.map((sandbox) => {
    const projectId = projectIdOf(sandbox);
    const { name = sandbox.sandboxId, runs = [] } = projects.get(projectId) ?? {};
    const { idleRemovalInMs } = sandbox;
    return {
      ...sandbox,
      id: sandbox.sandboxId,
      projectId,
      projectName: name,
      asOf: asOf.toISOString(),
      limits: deps.settings.sandboxLimits,
      runs,
      idleDeadlineAt:
        idleRemovalInMs === null ? null : new Date(asOf.getTime() + idleRemovalInMs).toISOString(),
      // A sandboxd that was started before web may not know it.
      endedAt: sandbox.endedAt ?? null,
    };
  });
}

/** One Sandbox, as `toSandboxViews` shows it. */
export async function toSandboxView(
  deps: ApiDeps,
  sandbox: SandboxRecord,
): Promise<z.output<typeof sandboxView>> {
  const [view] = await toSandboxViews(deps, [sandbox], deps.clock.now());
  if (view === undefined) throw new Error("a Sandbox has no view");
  return view;
}

const projectIdOf = ({ sandboxId }: SandboxRecord): string => sandboxId.slice("proj-".length);

const everywhere = { projectId: null, changeId: null };

async function findProjectOf(
  { projects, listLiveRuns }: ApiDeps,
  projectId: string,
): Promise<{ name?: string; runs: z.output<typeof sandboxView>["runs"] }> {
  const [project, runs] = await Promise.all([
    orNull(projects.getProject(projectId, everywhere)),
    listLiveRuns(projectId),
  ]);
  return {
    ...(project === null ? {} : { name: project.name }),
    runs: await Promise.all(
      runs.map(async ({ id, taskId, changeId, state, lastActivityAt }) => ({
        runId: id,
        taskId,
        taskTitle: (await projects.getTask(taskId, everywhere)).title,
        changeId,
        state,
        lastActivityAt: lastActivityAt.toISOString(),
      })),
    ),
  };
}

/** Finds a Sandbox that is or was there. Errors: `sandbox.not_found`. */
export async function getSandbox(
  { sandboxes }: ApiDeps,
  id: string,
): Promise<SandboxRecord & { sandboxId: SandboxId }> {
  const sandboxId = parseSandboxId(id);
  const found = sandboxId === null ? null : await sandboxes.find(sandboxId);
  if (found === null) throw new DomainError("sandbox.not_found", "There is no such Sandbox.");
  return found;
}

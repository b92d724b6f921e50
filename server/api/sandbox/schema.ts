import { z } from "zod";
import { DomainError } from "../../platform/errors";
import { parseSandboxId } from "../../sandboxd/sandbox-id";
import type { SandboxId, SandboxRecord } from "../../sandboxd/types";
import { runState } from "../../workspaces/schema";
import type { ApiDeps } from "../context";
import { count, time } from "../fields";

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
});

export async function toSandboxView(
  { listLiveRuns, settings }: ApiDeps,
  sandbox: SandboxRecord,
  asOf: Date,
): Promise<z.output<typeof sandboxView>> {
  const projectId = sandbox.sandboxId.slice("proj-".length);
  const runs = await listLiveRuns(projectId);
  const { idleRemovalInMs } = sandbox;
  return {
    ...sandbox,
    id: sandbox.sandboxId,
    projectId,
    asOf: asOf.toISOString(),
    limits: settings.sandboxLimits,
    runs: runs.map(({ id, taskId, changeId, state, lastActivityAt }) => ({
      runId: id,
      taskId,
      changeId,
      state,
      lastActivityAt: lastActivityAt.toISOString(),
    })),
    idleDeadlineAt:
      idleRemovalInMs === null ? null : new Date(asOf.getTime() + idleRemovalInMs).toISOString(),
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

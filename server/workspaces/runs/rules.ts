import { DomainError } from "../../platform/errors";
import { forkNameOf } from "../../git/repository-paths";
import { parseSandboxId } from "../../sandboxd/sandbox-id";
import type { RunUid } from "../../sandboxd/types";
import type { RunPlace, RunRecord } from "./types";

/** The one Sandbox that the Runs of a Project share. */
export function sandboxIdOf(projectId: string): RunPlace["sandboxId"] {
  const sandboxId = parseSandboxId(`proj-${projectId}`);
  if (sandboxId === null) throw new Error(`${projectId} is not the id of a Project.`);
  return sandboxId;
}

export function directoryOf(runId: string): string {
  return `/workspace/${runId}`;
}

export function placeOf(run: Pick<RunRecord, "id" | "projectId" | "uid">): RunPlace {
  return { sandboxId: sandboxIdOf(run.projectId), uid: run.uid as RunUid, directory: directoryOf(run.id) };
}

export function forkOf(run: Pick<RunRecord, "id" | "projectId">): { projectId: string; forkName: string } {
  return { projectId: run.projectId, forkName: forkNameOf(run.id) };
}

/** Whether a call failed because its Sandbox went away: nothing of what was in there is left. */
export function isSandboxGone(error: unknown): boolean {
  return error instanceof DomainError && error.code === "sandbox.not_found";
}

import { DomainError } from "../../platform/errors";
import type { SandboxRecord } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { placeOf } from "../runs/rules";
import type { Restoration, RunRecord } from "../runs/types";
import { checkOut } from "./checkout";

/**
 * Makes a lost directory anew: the clone, then the last state of each path that a tool has written, in the order in which
 * it was acknowledged. So no acknowledged edit is lost; what only commands wrote is, and those are named.
 */
export async function restoreWorkspace(
  deps: WorkspaceDeps,
  run: RunRecord,
  sandbox: SandboxRecord,
): Promise<Restoration> {
  await checkOut(deps, run);
  const { sandboxId, uid, directory: root } = placeOf(run);
  for await (const { path, content } of deps.stores.files.list(run.id)) {
    const target = { sandboxId, uid, root, path };
    if (content === null) await deleteIfThere(deps, target);
    else await deps.sandboxes.writeFile({ ...target, ...content });
  }
  return {
    at: deps.clock.now().toISOString(),
    reason: `The Sandbox that held the workspace went away; a new one (${sandbox.runtimeId?.slice(0, 12) ?? "unknown"}) holds it now. What the file tools wrote is there again.`,
    commandsNotReplayed: await deps.stores.commands.listExclusiveIds(run.id),
  };
}

async function deleteIfThere(
  deps: WorkspaceDeps,
  target: Omit<Parameters<WorkspaceDeps["sandboxes"]["deleteFile"]>[0], "recursive">,
): Promise<void> {
  try {
    await deps.sandboxes.deleteFile({ ...target, recursive: true });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "file.not_found") throw error;
  }
}

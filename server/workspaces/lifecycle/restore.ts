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
    if (content === null) await deleteIfThere(deps, { ...target, recursive: true });
    else await putBack(deps, { ...target, ...content });
  }
  return {
    at: deps.clock.now().toISOString(),
    reason: `The Sandbox that held the workspace went away; a new one (${sandbox.runtimeId?.slice(0, 12) ?? "unknown"}) holds it now. What the file tools wrote is there again.`,
    commandsNotReplayed: await deps.stores.commands.listExclusiveIds(run.id),
  };
}

/**
 * Writes a file whatever the clone has in its place: a directory there, or a file or link where it needs a directory, was
 * out of the way when the write was acknowledged.
 */
async function putBack(
  deps: WorkspaceDeps,
  file: Parameters<WorkspaceDeps["sandboxes"]["writeFile"]>[0],
): Promise<void> {
  try {
    await deps.sandboxes.writeFile(file);
  } catch (error) {
    if (!isInTheWay(error)) throw error;
    const { sandboxId, uid, root, path } = file;
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      const above = names.slice(0, depth).join("/");
      await deleteUnlessDirectory(deps, { sandboxId, uid, root, path: above });
    }
    await deleteIfThere(deps, { sandboxId, uid, root, path, recursive: true });
    await deps.sandboxes.writeFile(file);
  }
}

type DeleteTarget = Parameters<WorkspaceDeps["sandboxes"]["deleteFile"]>[0];

/** Behind a link or a file there is nothing by that path, so nothing is deleted there. */
async function deleteIfThere(deps: WorkspaceDeps, target: DeleteTarget): Promise<void> {
  try {
    await deps.sandboxes.deleteFile(target);
  } catch (error) {
    if (!isInTheWay(error)) throw error;
  }
}

/** A directory that is not empty stays; an empty one is made anew by the write. */
async function deleteUnlessDirectory(
  deps: WorkspaceDeps,
  target: Omit<DeleteTarget, "recursive">,
): Promise<void> {
  try {
    await deleteIfThere(deps, { ...target, recursive: false });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "input.invalid") throw error;
  }
}

function isInTheWay(error: unknown): boolean {
  const codes: readonly string[] = ["file.not_found", "file.not_regular", "path.outside_workspace"];
  return error instanceof DomainError && codes.includes(error.code);
}

import { z } from "zod";
import { sandboxIdOf } from "../../workspaces/runs/rules";
import type { ProjectRecord } from "../../projects/types";
import type { ApiDeps } from "../context";
import { commit, time } from "../fields";

/** A Project as the API shows it. */
export const projectView = z.object({
  id: z.uuid(),
  name: z.string(),
  sandboxId: z.string(),
  defaultBranch: z.string(),
  /** Null before the first commit, and while the git service cannot be asked. */
  headCommit: commit.nullable(),
  cloneUrl: z.url(),
  state: z.enum(["ready", "importing", "failed", "archived"]),
  /** What an import does now, or why it failed. */
  stateDetail: z.string().nullable(),
  importUrl: z.string().nullable(),
  createdAt: time,
  archivedAt: time.nullable(),
});

export async function toProjectView(
  { projects, settings }: ApiDeps,
  project: ProjectRecord,
): Promise<z.output<typeof projectView>> {
  return {
    ...project,
    sandboxId: sandboxIdOf(project.id),
    headCommit: await projects.findHeadCommit(project),
    cloneUrl: `${settings.publicUrl}/git/${project.id}.git`,
    createdAt: project.createdAt.toISOString(),
    archivedAt: project.archivedAt?.toISOString() ?? null,
  };
}

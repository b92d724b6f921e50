import { everything } from "../../access/scope";
import type { ApiDeps } from "../context";
import { orNull } from "../or-null";

/** Looks up what Changes and their Projects are called, each once. A name that is not there is empty. */
export async function namesOf(
  { projects }: Pick<ApiDeps, "projects">,
  owners: readonly { projectId: string; changeId: string }[],
): Promise<(owner: { projectId: string; changeId: string }) => { projectName: string; changeTitle: string }> {
  const changeIds = [...new Set(owners.map(({ changeId }) => changeId))];
  const projectIds = [...new Set(owners.map(({ projectId }) => projectId))];
  const [changes, named] = await Promise.all([
    Promise.all(changeIds.map((id) => orNull(projects.getChange(id, everything)))),
    Promise.all(projectIds.map((id) => orNull(projects.getProject(id, everything)))),
  ]);
  const titles = new Map(changes.filter((one) => one !== null).map(({ id, title }) => [id, title]));
  const names = new Map(named.filter((one) => one !== null).map(({ id, name }) => [id, name]));
  return ({ projectId, changeId }) => ({
    projectName: names.get(projectId) ?? "",
    changeTitle: titles.get(changeId) ?? "",
  });
}

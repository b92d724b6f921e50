import type { Scope } from "../access/scope";
import { DomainError } from "../platform/errors";
import type { Projects } from "../projects/service";
import type { ChangeRecord, PageRequest, ProjectRecord, TaskRecord } from "../projects/types";

/** Projects, Changes and Tasks in memory, with the scopes of the real ones. Its records may be added to. */
export interface FakeProjects extends Projects {
  projects: ProjectRecord[];
  changes: ChangeRecord[];
  tasks: TaskRecord[];
}

export const fakeTime = new Date("2026-01-15T12:00:00.000Z");

export function createFakeProjects(uuid: () => string): FakeProjects {
  const projects: ProjectRecord[] = [];
  const changes: ChangeRecord[] = [];
  const tasks: TaskRecord[] = [];
  const inProject = (scope: Scope, projectId: string): boolean =>
    scope.projectId === null || scope.projectId === projectId;
  const inChange = (scope: Scope, changeId: string): boolean =>
    scope.changeId === null || scope.changeId === changeId;

  const visibleProjects = (scope: Scope): ProjectRecord[] =>
    projects.filter(({ id }) => inProject(scope, id));
  const visibleChanges = (scope: Scope): ChangeRecord[] =>
    changes.filter(({ id, projectId }) => inProject(scope, projectId) && inChange(scope, id));
  const visibleTasks = (scope: Scope): TaskRecord[] =>
    tasks.filter(({ changeId, projectId }) => inProject(scope, projectId) && inChange(scope, changeId));

  const projectOf = (id: string, scope: Scope): ProjectRecord =>
    requireOne("project", visibleProjects(scope), id);
  const changeOf = (id: string, scope: Scope): ChangeRecord =>
    requireOne("change", visibleChanges(scope), id);
  const everything = { projectId: null, changeId: null };

  return {
    projects,
    changes,
    tasks,
    createProject: ({ name, defaultBranch, importUrl }) => {
      const project: ProjectRecord = {
        id: uuid(),
        name,
        defaultBranch,
        importUrl,
        state: "ready",
        stateDetail: null,
        createdAt: fakeTime,
        archivedAt: null,
      };
      projects.push(project);
      return Promise.resolve(project);
    },
    getProject: async (id, scope) => Promise.resolve(projectOf(id, scope)),
    listProjects: (scope, page) => Promise.resolve(cut(visibleProjects(scope), page)),
    listBranches: async (id, scope) => {
      projectOf(id, scope);
      return Promise.resolve([]);
    },
    findHeadCommit: () => Promise.resolve("a".repeat(40)),
    archiveProject: async (id) =>
      Promise.resolve(Object.assign(projectOf(id, everything), { state: "archived", archivedAt: fakeTime })),
    sweep: () => Promise.resolve(),
    createChange: async ({ actorId: _actorId, ...input }, scope) => {
      projectOf(input.projectId, scope);
      const change: ChangeRecord = { ...input, id: uuid(), openWorkspaces: 0, createdAt: fakeTime };
      changes.push(change);
      return Promise.resolve(change);
    },
    getChange: async (id, scope) => Promise.resolve(changeOf(id, scope)),
    listChanges: (projectId, scope, page) =>
      Promise.resolve(
        cut(
          visibleChanges(scope).filter((change) => projectId === null || change.projectId === projectId),
          page,
        ),
      ),
    createTask: async ({ actorId: _actorId, ...input }, scope) => {
      const { projectId } = changeOf(input.changeId, scope);
      const task: TaskRecord = { ...input, projectId, id: uuid(), createdAt: fakeTime };
      tasks.push(task);
      return Promise.resolve(task);
    },
    getTask: async (id, scope) => Promise.resolve(requireOne("task", visibleTasks(scope), id)),
    listTasks: (changeId, scope, page) =>
      Promise.resolve(
        cut(
          visibleTasks(scope).filter((task) => changeId === null || task.changeId === changeId),
          page,
        ),
      ),
  };
}

function requireOne<Item extends { id: string }>(
  what: "project" | "change" | "task",
  items: Item[],
  id: string,
): Item {
  const found = items.find((item) => item.id === id);
  if (found === undefined) throw new DomainError(`${what}.not_found`, `There is no such ${what}.`);
  return found;
}

/** One page of records in memory. A cursor that is not among them ends the list. */
export function cut<Item extends { id: string }>(items: Item[], { after, limit }: PageRequest): Item[] {
  const place = after === null ? -1 : items.findIndex(({ id }) => id === after);
  return after !== null && place === -1 ? [] : items.slice(place + 1, place + 1 + limit);
}

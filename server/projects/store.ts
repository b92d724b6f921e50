import type { Scope } from "../access/scope";
import type { DbOrTransaction } from "../platform/db";
import { toStorableText } from "../platform/storable-text";
import type { ChangeRecord, PageRequest, ProjectRecord, ProjectState, TaskRecord } from "./types";

/** Projects, Changes and Tasks. A scope that does not reach a row makes it absent. */
export interface ProjectStore {
  createProject(project: ProjectRecord): Promise<void>;
  findProject(id: string, scope: Scope): Promise<ProjectRecord | null>;
  listProjects(scope: Scope, page: PageRequest): Promise<ProjectRecord[]>;
  listProjectsInState(state: ProjectState): Promise<ProjectRecord[]>;
  /** Changes the state when it is still `from`; says whether it did. */
  moveProject(
    id: string,
    from: readonly ProjectState[],
    to: ProjectState,
    detail: string | null,
    at: Date,
  ): Promise<boolean>;

  createChange(change: ChangeRecord, createdById: string): Promise<void>;
  findChange(id: string, scope: Scope): Promise<ChangeRecord | null>;
  listChanges(projectId: string | null, scope: Scope, page: PageRequest): Promise<ChangeRecord[]>;

  createTask(task: TaskRecord, createdById: string): Promise<void>;
  findTask(id: string, scope: Scope): Promise<TaskRecord | null>;
  listTasks(changeId: string | null, scope: Scope, page: PageRequest): Promise<TaskRecord[]>;
}

const inOrder = [{ createdAt: "asc" as const }, { id: "asc" as const }];

const projectFields = {
  id: true,
  name: true,
  defaultBranch: true,
  state: true,
  importUrl: true,
  stateDetail: true,
  createdAt: true,
  archivedAt: true,
} as const;

const changeFields = {
  id: true,
  projectId: true,
  title: true,
  description: true,
  maxActiveSandboxes: true,
  openWorkspaces: true,
  createdAt: true,
} as const;

const taskFields = {
  id: true,
  changeId: true,
  projectId: true,
  kind: true,
  title: true,
  instructions: true,
  createdAt: true,
} as const;

export function createProjectStore(db: DbOrTransaction): ProjectStore {
  return { ...projectsOf(db), ...changesOf(db), ...tasksOf(db) };
}

function projectsOf(
  db: DbOrTransaction,
): Pick<
  ProjectStore,
  "createProject" | "findProject" | "listProjects" | "listProjectsInState" | "moveProject"
> {
  const within = (scope: Scope): { id?: string } => (scope.projectId === null ? {} : { id: scope.projectId });
  const findProject: ProjectStore["findProject"] = (id, scope) =>
    db.project.findFirst({ where: { AND: [{ id }, within(scope)] }, select: projectFields });
  return {
    createProject: async (project) => {
      await db.project.create({ data: { ...project, name: toStorableText(project.name) } });
    },
    findProject,
    listProjects: async (scope, page) => {
      if (await isForeign(page, scope, findProject)) return [];
      return db.project.findMany({
        where: within(scope),
        select: projectFields,
        orderBy: inOrder,
        ...toPage(page),
      });
    },
    listProjectsInState: (state) =>
      db.project.findMany({ where: { state }, select: projectFields, orderBy: inOrder }),
    moveProject: async (id, from, to, detail, at) => {
      const { count } = await db.project.updateMany({
        where: { id, state: { in: [...from] } },
        data: {
          state: to,
          stateDetail: detail === null ? null : toStorableText(detail),
          ...(to === "archived" ? { archivedAt: at } : {}),
        },
      });
      return count === 1;
    },
  };
}

function changesOf(db: DbOrTransaction): Pick<ProjectStore, "createChange" | "findChange" | "listChanges"> {
  const within = (scope: Scope): { projectId?: string; id?: string } => ({
    ...(scope.projectId === null ? {} : { projectId: scope.projectId }),
    ...(scope.changeId === null ? {} : { id: scope.changeId }),
  });
  const findChange: ProjectStore["findChange"] = (id, scope) =>
    db.change.findFirst({ where: { AND: [{ id }, within(scope)] }, select: changeFields });
  return {
    createChange: async (change, createdById) => {
      await db.change.create({
        data: {
          ...change,
          title: toStorableText(change.title),
          description: toStorableText(change.description),
          createdById,
        },
      });
    },
    findChange,
    listChanges: async (projectId, scope, page) => {
      if (await isForeign(page, scope, findChange)) return [];
      return db.change.findMany({
        where: { AND: [projectId === null ? {} : { projectId }, within(scope)] },
        select: changeFields,
        orderBy: inOrder,
        ...toPage(page),
      });
    },
  };
}

function tasksOf(db: DbOrTransaction): Pick<ProjectStore, "createTask" | "findTask" | "listTasks"> {
  const within = (scope: Scope): { projectId?: string; changeId?: string } => ({
    ...(scope.projectId === null ? {} : { projectId: scope.projectId }),
    ...(scope.changeId === null ? {} : { changeId: scope.changeId }),
  });
  const findTask: ProjectStore["findTask"] = (id, scope) =>
    db.task.findFirst({ where: { AND: [{ id }, within(scope)] }, select: taskFields });
  return {
    createTask: async (task, createdById) => {
      await db.task.create({
        data: {
          ...task,
          title: toStorableText(task.title),
          instructions: toStorableText(task.instructions),
          createdById,
        },
      });
    },
    findTask,
    listTasks: async (changeId, scope, page) => {
      if (await isForeign(page, scope, findTask)) return [];
      return db.task.findMany({
        where: { AND: [changeId === null ? {} : { changeId }, within(scope)] },
        select: taskFields,
        orderBy: inOrder,
        ...toPage(page),
      });
    },
  };
}

/** A cursor that the scope does not reach says no more than one that does not exist: the page behind it is empty. */
async function isForeign(
  { after }: PageRequest,
  scope: Scope,
  find: (id: string, scope: Scope) => Promise<unknown>,
): Promise<boolean> {
  return after !== null && (await find(after, scope)) === null;
}

function toPage({ after, limit }: PageRequest): { take: number; cursor?: { id: string }; skip?: number } {
  return after === null ? { take: limit } : { take: limit, cursor: { id: after }, skip: 1 };
}

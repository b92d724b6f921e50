import type { Scope } from "../access/scope";
import type { Events } from "../events/service";
import type { BranchRecord, GitService } from "../git/types";
import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import { describeError, DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import { isBranchName } from "./rules";
import type { ProjectStore } from "./store";
import type { ChangeRecord, PageRequest, ProjectRecord, TaskKind, TaskRecord } from "./types";

/** Projects with their repositories, and the Changes and Tasks in them. What a scope does not reach is not found. */
export interface Projects {
  /**
   * Makes a Project and its canonical repository. With `importUrl` it is `importing` until the source has been copied.
   * Errors: `input.invalid`, `git.unavailable`; the sweep then finishes what was begun.
   */
  createProject(input: NewProject): Promise<ProjectRecord>;
  /** Errors: `project.not_found`. */
  getProject(id: string, scope: Scope): Promise<ProjectRecord>;
  listProjects(scope: Scope, page: PageRequest): Promise<ProjectRecord[]>;
  /** The commit of the default branch; null before the first one, or while the git service cannot be asked. */
  findHeadCommit(project: ProjectRecord): Promise<string | null>;
  /** Of the canonical repository, the one with the newest commit first. Errors: `project.not_found`, `git.unavailable`. */
  listBranches(id: string, scope: Scope): Promise<BranchRecord[]>;
  /** From here on nothing opens in it. Its Runs are ended by whoever calls this. Repeating it changes nothing. */
  archiveProject(id: string, actorId: string): Promise<ProjectRecord>;
  /** Drives every Project that is half made to `ready` or `failed`. Called again and again; repeats nothing. */
  sweep(): Promise<void>;

  createChange(input: NewChange, scope: Scope): Promise<ChangeRecord>;
  /** Errors: `change.not_found`. */
  getChange(id: string, scope: Scope): Promise<ChangeRecord>;
  listChanges(projectId: string | null, scope: Scope, page: PageRequest): Promise<ChangeRecord[]>;

  createTask(input: NewTask, scope: Scope): Promise<TaskRecord>;
  /** Errors: `task.not_found`. */
  getTask(id: string, scope: Scope): Promise<TaskRecord>;
  listTasks(changeId: string | null, scope: Scope, page: PageRequest): Promise<TaskRecord[]>;
}

export interface NewProject {
  name: string;
  defaultBranch: string;
  importUrl: string | null;
  actorId: string;
}

export interface NewChange {
  projectId: string;
  title: string;
  description: string;
  maxActiveSandboxes: number | null;
  actorId: string;
}

export interface NewTask {
  changeId: string;
  kind: TaskKind;
  title: string;
  instructions: string;
  actorId: string;
}

interface ProjectsDeps {
  store: ProjectStore;
  storeIn: (tx: Transaction) => ProjectStore;
  transaction: RunInTransaction;
  events: Events;
  git: GitService;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** `MAX_ACTIVE_SANDBOXES_PER_CHANGE`, which no Change may exceed. */
  slotsMax: number;
}

export function createProjects(deps: ProjectsDeps): Projects {
  const { store, git, logger } = deps;
  return {
    ...projectCalls(deps),
    ...changeCalls(deps),
    ...taskCalls(deps),
    listBranches: async (id, scope) => {
      const project = (await store.findProject(id, scope)) ?? notFound("project");
      // Before the source has been copied there is no repository to ask.
      if (project.state === "importing" || project.state === "failed") return [];
      return git.listBranches({ projectId: project.id });
    },
    findHeadCommit: async (project) => {
      if (project.state === "importing" || project.state === "failed") return null;
      try {
        return (
          (await git.getBranch({ projectId: project.id, branch: project.defaultBranch }))?.commit ?? null
        );
      } catch (error) {
        logger.warn(
          { projectId: project.id, reason: describeError(error) },
          "a Project's head could not be read",
        );
        return null;
      }
    },
    sweep: async () => {
      for (const project of await store.listProjectsInState("importing")) {
        try {
          await advance(deps, project);
        } catch (error) {
          logger.warn(
            { projectId: project.id, reason: describeError(error) },
            "a Project could not be advanced",
          );
        }
      }
    },
  };
}

function projectCalls(
  deps: ProjectsDeps,
): Pick<Projects, "createProject" | "getProject" | "listProjects" | "archiveProject"> {
  const { store, storeIn, transaction, events, clock, ids } = deps;
  const getProject = async (id: string, scope: Scope): Promise<ProjectRecord> =>
    (await store.findProject(id, scope)) ?? notFound("project");
  const everywhere = { projectId: null, changeId: null };

  return {
    getProject,
    listProjects: (scope, page) => store.listProjects(scope, page),
    createProject: async ({ name, defaultBranch, importUrl, actorId }) => {
      if (!isBranchName(defaultBranch)) {
        throw new DomainError("input.invalid", "defaultBranch: is not a branch name", {
          field: "defaultBranch",
        });
      }
      const project: ProjectRecord = {
        id: ids.uuid(),
        name,
        defaultBranch,
        state: "importing",
        importUrl: importUrl === null ? null : withoutCredentials(importUrl),
        stateDetail: "waiting for the git service",
        createdAt: clock.now(),
        archivedAt: null,
      };
      await transaction(async (tx) => {
        await storeIn(tx).createProject(project);
        await events.append(tx, {
          type: "project.created",
          at: project.createdAt,
          projectId: project.id,
          changeId: null,
          data: { name, actorId },
        });
      });
      await advance(deps, { ...project, importUrl });
      return getProject(project.id, everywhere);
    },
    archiveProject: async (id, actorId) => {
      const project = await getProject(id, everywhere);
      const at = clock.now();
      await transaction(async (tx) => {
        const moved = await storeIn(tx).moveProject(
          id,
          ["importing", "ready", "failed"],
          "archived",
          null,
          at,
        );
        if (!moved) return;
        await events.append(tx, {
          type: "project.archived",
          at,
          projectId: id,
          changeId: null,
          data: { name: project.name, actorId },
        });
      });
      return getProject(id, everywhere);
    },
  };
}

function changeCalls(deps: ProjectsDeps): Pick<Projects, "createChange" | "getChange" | "listChanges"> {
  const { store, storeIn, transaction, events, clock, ids, slotsMax } = deps;
  return {
    getChange: async (id, scope) => (await store.findChange(id, scope)) ?? notFound("change"),
    listChanges: (projectId, scope, page) => store.listChanges(projectId, scope, page),
    createChange: async ({ actorId, ...input }, scope) => {
      const project = (await store.findProject(input.projectId, scope)) ?? notFound("project");
      // An agent that is bound to one Change has no business beside it.
      if (scope.changeId !== null)
        throw new DomainError("auth.forbidden", "This token is bound to one Change.");
      if (project.state === "archived") throw new DomainError("conflict.stale", "This Project is archived.");
      if (input.maxActiveSandboxes !== null && input.maxActiveSandboxes > slotsMax) {
        throw new DomainError(
          "input.invalid",
          `maxActiveSandboxes: at most ${slotsMax}, as the setting says`,
          {
            field: "maxActiveSandboxes",
          },
        );
      }
      const change: ChangeRecord = { ...input, id: ids.uuid(), openWorkspaces: 0, createdAt: clock.now() };
      await transaction(async (tx) => {
        await storeIn(tx).createChange(change, actorId);
        await events.append(tx, {
          type: "change.created",
          at: change.createdAt,
          projectId: change.projectId,
          changeId: change.id,
          data: { title: change.title, actorId },
        });
      });
      return (await store.findChange(change.id, scope)) ?? notFound("change");
    },
  };
}

function taskCalls(deps: ProjectsDeps): Pick<Projects, "createTask" | "getTask" | "listTasks"> {
  const { store, storeIn, transaction, events, clock, ids } = deps;
  return {
    getTask: async (id, scope) => (await store.findTask(id, scope)) ?? notFound("task"),
    listTasks: (changeId, scope, page) => store.listTasks(changeId, scope, page),
    createTask: async ({ actorId, ...input }, scope) => {
      const change = (await store.findChange(input.changeId, scope)) ?? notFound("change");
      const task: TaskRecord = {
        ...input,
        id: ids.uuid(),
        projectId: change.projectId,
        createdAt: clock.now(),
      };
      await transaction(async (tx) => {
        await storeIn(tx).createTask(task, actorId);
        await events.append(tx, {
          type: "task.created",
          at: task.createdAt,
          projectId: task.projectId,
          changeId: task.changeId,
          data: { taskId: task.id, kind: task.kind, title: task.title, actorId },
        });
      });
      return (await store.findTask(task.id, scope)) ?? notFound("task");
    },
  };
}

/** One step of a Project on its way to `ready`; the row says what was intended, the git service what is done. */
async function advance({ store, git, clock }: ProjectsDeps, project: ProjectRecord): Promise<void> {
  const { id: projectId, defaultBranch, importUrl } = project;
  const move = (to: "importing" | "ready" | "failed", detail: string | null): Promise<boolean> =>
    store.moveProject(projectId, ["importing"], to, detail, clock.now());
  if (importUrl === null) {
    await git.createRepository({ projectId, defaultBranch });
    await move("ready", null);
    return;
  }
  const known = await git.importStatus({ projectId });
  const status = known ?? (await git.importRepository({ projectId, url: importUrl, defaultBranch }));
  if (status.state === "running") await move("importing", status.detail);
  else
    await move(status.state === "done" ? "ready" : "failed", status.state === "done" ? null : status.detail);
}

/** What is stored and shown of an address that may carry a user name and a password. */
function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}

function notFound(what: "project" | "change" | "task"): never {
  throw new DomainError(`${what}.not_found`, `There is no such ${what}.`);
}

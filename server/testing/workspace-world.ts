import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "../access/types";
import { labelsOf, serviceContainerName, serviceNetworkName } from "../platform/instance";
import type { Db } from "../platform/db";
import type { SandboxRuntime } from "../sandboxd/types";
import { sandboxIdOf } from "../workspaces/runs/rules";
import { createTestDatabase, type TestDatabase } from "./database";
import { createEngineInstance, type EngineInstance } from "./engine-instance";
import { createGitContainer, type GitContainer } from "./git-container";
import { commitFiles, mustGit } from "./git-world";
import { insertTask, type TaskRows } from "./run-rows";
import {
  createAgent,
  createShiftedClock,
  createWorkspaceProcess,
  type ShiftedClock,
  type WorkspaceProcess,
  type WorkspaceProcessOptions,
} from "./workspace-process";

/** Workspaces over the real engine, the real git service in its image and a real database. */
export interface WorkspaceWorld {
  engine: EngineInstance;
  git: GitContainer;
  database: TestDatabase;
  db: Db;
  clock: ShiftedClock;
  /** Starts a web process; two of them share the database and nothing else. All are ended by `close`. */
  startProcess(options?: Partial<WorkspaceProcessOptions>): WorkspaceProcess;
  /** A Project with a first commit, whose working tree lies in `source`. */
  createProject(
    files?: Readonly<Record<string, string | Buffer>>,
    prepare?: (source: string) => Promise<void>,
  ): Promise<WorkspaceProject>;
  /** A Change with a Task in that Project, and an agent for it. */
  createTask(
    project: WorkspaceProject,
    options?: { slots?: number; kind?: "implement" | "design" },
  ): Promise<WorkspaceTask>;
  /** The container of the Project's Sandbox. */
  findContainer(projectId: string): Promise<string>;
  /** Runs a shell script in the Sandbox as the given uid, behind everything's back; gives its output. */
  shellIn(projectId: string, uid: number, script: string): Promise<string>;
  /** Stops sandboxd and starts it anew, which takes over the containers that are there. */
  restartSandboxd(): Promise<void>;
  close(): Promise<void>;
}

export interface WorkspaceProject {
  projectId: string;
  commit: string;
  source: string;
}

export interface WorkspaceTask {
  taskId: string;
  changeId: string;
  projectId: string;
  agent: Caller;
}

export async function createWorkspaceWorld(
  runtime: SandboxRuntime,
  options: {
    settings?: WorkspaceProcessOptions["settings"];
    env?: Record<string, string>;
    /** False for a test that starts egress itself; a stand-in is there otherwise. */
    startsEgress?: boolean;
  } = {},
): Promise<WorkspaceWorld> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  const processes: WorkspaceProcess[] = [];
  const close = async (): Promise<void> => {
    for (const process of processes) process.kill();
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  try {
    const database = await createTestDatabase();
    cleanUps.push(() => database.drop());
    const engine = await createEngineInstance(runtime, { SANDBOX_MAX: "12", ...options.env });
    cleanUps.push(() => engine.close());
    const git = await startGit(engine);
    if (options.startsEgress !== false) await engine.startServices();
    let sandboxd = await engine.startSandboxd();
    const folder = await mkdtemp(join(tmpdir(), "rhumbatron-workspaces-"));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const clock = createShiftedClock();
    const db = database.open();
    const findContainer = async (projectId: string): Promise<string> => {
      const sandbox = await engine.sandboxes.find(sandboxIdOf(projectId));
      if (sandbox?.runtimeId === undefined || sandbox.runtimeId === null) throw new Error("no Sandbox");
      return sandbox.runtimeId;
    };
    return {
      engine,
      git,
      database,
      db,
      clock,
      startProcess: (own = {}) => {
        const settings = { ...options.settings, ...own.settings };
        const parts = { sandboxes: engine.sandboxes, git: git.current().client, clock, ...own, settings };
        const process = createWorkspaceProcess({ db: database.open(), ...parts });
        processes.push(process);
        return process;
      },
      createProject: (files = { "README.md": "hello\n" }, prepare) =>
        createProject({ db, git, folder }, files, prepare),
      createTask: (project, taskOptions = {}) => createTask(db, project, taskOptions),
      findContainer,
      shellIn: async (projectId, uid, script) => shellIn(engine, await findContainer(projectId), uid, script),
      restartSandboxd: async () => {
        await sandboxd.stop();
        sandboxd = await engine.startSandboxd();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The git service under the name and labels by which sandboxd finds it. */
async function startGit({ docker, instance }: EngineInstance): Promise<GitContainer> {
  const network = serviceNetworkName(instance);
  await docker.createNetwork({ Name: network, Labels: labelsOf(instance, "service-network") });
  return createGitContainer({
    name: serviceContainerName(instance, "git"),
    labels: labelsOf(instance, "git"),
    network,
  });
}

async function createProject(
  { db, git, folder }: { db: Db; git: GitContainer; folder: string },
  files: Readonly<Record<string, string | Buffer>>,
  prepare: ((source: string) => Promise<void>) | undefined,
): Promise<WorkspaceProject> {
  const { projectId } = await insertTask(db);
  const { client, doorUrl } = git.current();
  await client.createRepository({ projectId, defaultBranch: "main" });
  const source = join(folder, projectId);
  await mustGit(["init", "-q", "-b", "main", source]);
  await prepare?.(source);
  const commit = await commitFiles(source, files);
  const word = await git.signer.sign("rhumbatron:git", { use: "people", projectId, right: "write" }, 60);
  const env = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Bearer ${word}`,
  };
  await mustGit(["push", "-q", `${doorUrl}/${projectId}.git`, "main"], { cwd: source, env });
  return { projectId, commit, source };
}

async function createTask(
  db: Db,
  { projectId }: WorkspaceProject,
  { slots, kind = "implement" }: { slots?: number; kind?: "implement" | "design" },
): Promise<WorkspaceTask> {
  const rows: TaskRows = { projectId, changeId: randomUUID(), taskId: randomUUID() };
  const common = { createdById: randomUUID(), createdAt: new Date() };
  await db.change.create({
    data: {
      ...common,
      id: rows.changeId,
      projectId,
      title: "c",
      description: "",
      maxActiveSandboxes: slots ?? null,
    },
  });
  const words = { kind, title: "t", instructions: "" };
  await db.task.create({
    data: { ...common, ...words, id: rows.taskId, changeId: rows.changeId, projectId },
  });
  return { ...rows, agent: createAgent(projectId) };
}

async function shellIn(
  { docker }: EngineInstance,
  containerId: string,
  uid: number,
  script: string,
): Promise<string> {
  const container = docker.getContainer(containerId);
  const exec = await container.exec({
    Cmd: ["sh", "-c", script],
    User: `${uid}:${uid}`,
    AttachStdout: true,
    AttachStderr: true,
    Tty: true,
  });
  const stream = await exec.start({ Tty: true });
  let text = "";
  for await (const piece of stream as AsyncIterable<Buffer>) text += piece.toString("utf8");
  return text.replaceAll("\r\n", "\n");
}

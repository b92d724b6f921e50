import { Readable } from "node:stream";
import { createAccess, type Access } from "../access/service";
import type { ApiDeps } from "../api/context";
import type { HealthReport } from "../api/health/health";
import { createChangeSets } from "../changesets/service";
import type { ChangeSetRecord } from "../changesets/types";
import type { DiffFile } from "../git/types";
import { createIntents } from "../intents/service";
import type { IntentRecord } from "../intents/types";
import type { Transaction } from "../platform/db";
import { createSilentLogger } from "../platform/logger";
import type { SandboxRecord } from "../sandboxd/types";
import { sandboxIdOf } from "../workspaces/runs/rules";
import { accessDeps } from "./access-deps";
import { createFakeClock, type FakeClock } from "./fake-clock";
import { createFakeEgress } from "./fake-egress";
import { createFakeIds } from "./fake-ids";
import { createFakePeople } from "./fake-people";
import { createFakeProjects, cut, fakeTime, type FakeProjects } from "./fake-projects";
import { createFakeReviewing } from "./fake-reviewing";
import { createFakeTokenStore } from "./fake-token-store";
import { createFakeUsage } from "./fake-usage";
import { createFakeWorkspaces, type FakeWorkspaces } from "./fake-workspaces";

export const healthy: HealthReport = {
  status: "ok",
  version: "1.2.3",
  components: {
    database: { status: "ok", detail: "" },
    engine: { status: "ok", detail: "" },
    image: { status: "ok", detail: "" },
    git: { status: "ok", detail: "" },
    egress: { status: "ok", detail: "" },
  },
};

/** Everything that the API stands on, in memory. */
export interface FakeApi {
  deps: ApiDeps;
  clock: FakeClock;
  access: Access;
  projects: FakeProjects;
  workspaces: FakeWorkspaces;
  changeSets: ChangeSetRecord[];
  /** Ids of `workspace.refused` events, each with its Task. */
  refusals: Map<string, string>;
  sandboxes: SandboxRecord[];
}

export function createFakeApi(): FakeApi {
  const clock = createFakeClock();
  const ids = createFakeIds();
  const uuid = (): string => ids.uuid();
  const access = createAccess(accessDeps({ store: createFakeTokenStore(), clock, ids }));
  const projects = createFakeProjects(uuid);
  const workspaces = createFakeWorkspaces({ projects, uuid });
  const changeSets: ChangeSetRecord[] = [];
  const fakeChangeSets = createFakeChangeSets(changeSets);
  const refusals = new Map<string, string>();
  const sandboxes: SandboxRecord[] = [];
  const deps: ApiDeps = {
    access,
    people: createFakePeople({ clock, ids }),
    health: { report: () => Promise.resolve(healthy) },
    projects,
    workspaces,
    changeSets: fakeChangeSets,
    reviewing: createFakeReviewing(fakeChangeSets, uuid),
    intents: createFakeIntents(refusals, uuid),
    demo: { start: () => Promise.resolve({ projectId: uuid(), changeId: uuid(), taskId: uuid() }) },
    inbox: { list: () => Promise.resolve({ count: 0, rows: [] }) },
    ...createFakeUsage(),
    ...createFakeEgress({ clock }),
    sandboxes: {
      list: () =>
        Promise.resolve({
          asOf: fakeTime.toISOString(),
          liveMax: 4,
          live: sandboxes,
          warmCount: 1,
          gone: [],
        }),
      find: (id) => Promise.resolve(sandboxes.find(({ sandboxId }) => sandboxId === id) ?? null),
      remove: ({ sandboxId }) => {
        const found = sandboxes.find((sandbox) => sandbox.sandboxId === sandboxId);
        if (found !== undefined) Object.assign(found, { state: "gone", endReason: "removed" });
        return Promise.resolve();
      },
    },
    listLiveRuns: (projectId) =>
      Promise.resolve(workspaces.runs.filter((run) => run.projectId === projectId && run.endedAt === null)),
    settings: {
      publicUrl: "http://dashboard.test",
      slotsMax: 4,
      sandboxLimits: { cpus: 2, memoryBytes: 2_147_483_648, processes: 512, diskBytes: 8_589_934_592 },
    },
    clock,
    ids,
    logger: createSilentLogger(),
  };
  return { deps, clock, access, projects, workspaces, changeSets, refusals, sandboxes };
}

function createFakeChangeSets(records: ChangeSetRecord[]): ApiDeps["changeSets"] {
  return createChangeSets({
    store: {
      find: (id, scope) =>
        Promise.resolve(
          records.find(
            (one) =>
              one.id === id &&
              (scope.projectId === null || one.projectId === scope.projectId) &&
              (scope.changeId === null || one.changeId === scope.changeId),
          ) ?? null,
        ),
      findByRun: (runId) => Promise.resolve(records.find((one) => one.runId === runId) ?? null),
      listSeries: (seriesId) => Promise.resolve(records.filter((one) => one.seriesId === seriesId)),
      list: ({ scope, projectId, changeId, taskId, state, ...page }) =>
        Promise.resolve(
          cut(
            records.filter(
              (one) =>
                (scope.projectId === null || one.projectId === scope.projectId) &&
                (projectId === null || one.projectId === projectId) &&
                (changeId === null || one.changeId === changeId) &&
                (taskId === null || one.taskId === taskId) &&
                (state === null || one.state === state),
            ),
            page,
          ),
        ),
    },
    git: {
      getCommit: ({ commit }) =>
        Promise.resolve({
          commit,
          tree: "a".repeat(40),
          parents: [],
          author: { name: "", email: "" },
          at: fakeTime.toISOString(),
          subject: "",
        }),
      diffFiles: () => Promise.resolve([changedFile("src/limit.ts")]),
      diffPatch: ({ base, head, path }) =>
        Promise.resolve({ patch: `${path} ${base}..${head}\n`, encoding: "utf8", truncated: false }),
      diffPatches: ({ base, head, paths }) =>
        Promise.resolve(
          paths.map((path) => ({
            path,
            patch: `${path} ${base}..${head}\n`,
            encoding: "utf8" as const,
            truncated: false,
          })),
        ),
      readSide: () => Promise.resolve({ base64: "eA==", sizeBytes: 1, truncated: false }),
      openSide: () => Promise.resolve({ sizeBytes: 1, bytes: Readable.from([Buffer.from("x")]) }),
    },
  });
}

function createFakeIntents(refusals: Map<string, string>, uuid: () => string): ApiDeps["intents"] {
  const records: IntentRecord[] = [];
  const store = {
    create: (intent: IntentRecord) => {
      records.push(intent);
      return Promise.resolve();
    },
    list: ({ scope, projectId, changeId, taskId, ...page }: Parameters<ApiDeps["intents"]["list"]>[0]) =>
      Promise.resolve(
        cut(
          records.filter(
            (one) =>
              (scope.projectId === null || one.projectId === scope.projectId) &&
              (projectId === null || one.projectId === projectId) &&
              (changeId === null || one.changeId === changeId) &&
              (taskId === null || one.taskId === taskId),
          ),
          page,
        ),
      ),
    isRefusalOf: (refusalId: string, taskId: string) => Promise.resolve(refusals.get(refusalId) === taskId),
  };
  return createIntents({
    store,
    storeIn: () => store,
    transaction: (work) => work({} as Transaction),
    events: {
      append: () => Promise.resolve(uuid()),
      list: () => Promise.resolve([]),
      stream: async function* () {},
    },
    clock: createFakeClock(),
    ids: { uuid, secret: () => "" },
  });
}

function changedFile(path: string): DiffFile {
  const side = {
    mode: "100644",
    objectId: "d".repeat(40),
    sizeBytes: 3,
    encoding: "utf-8" as const,
    lfs: null,
  };
  return {
    status: "modified",
    path,
    displayPath: path,
    oldPath: path,
    oldDisplayPath: path,
    old: side,
    new: side,
    similarity: null,
    kind: "text",
    insertions: 1,
    deletions: 1,
    flags: [],
  };
}

/** A ChangeSet that a Run of that Task proposed. */
export function fakeChangeSet(
  id: string,
  task: { id: string; changeId: string; projectId: string },
): ChangeSetRecord {
  return {
    id,
    runId: id,
    taskId: task.id,
    changeId: task.changeId,
    projectId: task.projectId,
    seriesId: id,
    version: 1,
    state: "proposed",
    title: "Adds a limit",
    summary: "",
    baseCommit: "b".repeat(40),
    headCommit: "c".repeat(40),
    filesChanged: 1,
    insertions: 1,
    deletions: 1,
    createdAt: fakeTime,
  };
}

/** The live Sandbox of a Project. */
export function fakeSandbox(projectId: string): SandboxRecord {
  return {
    sandboxId: sandboxIdOf(projectId),
    state: "live",
    runtimeId: "0123",
    runtime: "runc",
    imageDigest: `sha256:${"e".repeat(64)}`,
    network: "rhumbatron_sbx_1",
    address: "10.0.0.2",
    startedAt: fakeTime.toISOString(),
    idleRemovalInMs: 60_000,
    runningCommands: 0,
    usage: {
      cpuPercent: 1.5,
      memoryBytes: 1,
      memoryBytesMax: 2,
      processes: 3,
      processesMax: 4,
      diskBytes: 5,
      diskBytesMax: 6,
    },
    endReason: null,
    detail: null,
    endedAt: null,
  };
}

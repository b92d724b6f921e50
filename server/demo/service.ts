import type { Access } from "../access/service";
import { everything } from "../access/scope";
import type { Actor } from "../access/types";
import type { GitService } from "../git/types";
import type { Clock } from "../platform/clock";
import { DomainError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import type { Projects } from "../projects/service";
import type { ProjectRecord } from "../projects/types";
import type { SampleFile } from "./sample-files";
import { demoWords } from "./script";
import { runScriptedAgent } from "./scripted-agent";
import type { AgentTools, StartedDemo, Steps } from "./types";

/** How long a new Project may take until it is ready. */
const readyMsMax = 60_000;
const readyLookMs = 250;
/** The token ends by itself when this process dies before it could revoke it. */
const tokenMs = 60 * 60_000;

/** Shows how a Task becomes a ChangeSet, without a model. */
export interface Demo {
  /**
   * Makes a Project from the sample, a Change and a Task, and lets the scripted agent work in the background. While one
   * is under way a further call gives that one. A process that dies meanwhile leaves a Run that expires, as any agent
   * that dies does. Errors: `git.unavailable`, also when the Project does
   * not become ready.
   */
  start(actor: Actor): Promise<StartedDemo>;
}

export interface DemoDeps {
  access: Pick<Access, "createToken" | "revokeToken">;
  projects: Pick<Projects, "createProject" | "getProject" | "createChange" | "createTask">;
  git: Pick<GitService, "seedRepository">;
  /** The tools as whoever holds this token has them. */
  toolsFor: (token: string) => Promise<AgentTools>;
  /** Writes down, in that Task's place, what the agent would have done. */
  declareIntent: (input: { token: string; taskId: string; refusalId: string; body: string }) => Promise<void>;
  readSample: () => Promise<SampleFile[]>;
  clock: Clock;
  logger: Logger;
}

export function createDemo(deps: DemoDeps): Demo {
  let underWay: Promise<StartedDemo> | null = null;
  return {
    start: (actor) => {
      if (underWay !== null) return underWay;
      const started = prepare(deps, actor);
      underWay = started;
      void started
        .then((demo) => work(deps, demo, actor))
        .catch((error: unknown) => {
          deps.logger.error({ err: error }, "the demo could not go on");
        })
        .finally(() => {
          underWay = null;
        });
      return started;
    },
  };
}

async function prepare(deps: DemoDeps, actor: Actor): Promise<StartedDemo> {
  const { projects, git, clock } = deps;
  const made = await projects.createProject({
    name: demoWords.projectName,
    defaultBranch: "main",
    importUrl: null,
    actorId: actor.id,
  });
  const project = await waitUntilReady(deps, made);
  const files = await deps.readSample();
  await git.seedRepository({
    projectId: project.id,
    files: files.map(({ path, content }) => ({
      path,
      base64: content.toString("base64"),
      isExecutable: false,
    })),
    message: demoWords.commitMessage,
    author: demoWords.author,
    at: clock.now().toISOString(),
  });
  const change = await projects.createChange(
    {
      projectId: project.id,
      title: demoWords.changeTitle,
      description: "",
      maxActiveSandboxes: null,
      actorId: actor.id,
    },
    everything,
  );
  const task = await projects.createTask(
    {
      changeId: change.id,
      kind: "implement",
      title: demoWords.taskTitle,
      instructions: demoWords.taskInstructions,
      actorId: actor.id,
    },
    everything,
  );
  return { projectId: project.id, changeId: change.id, taskId: task.id };
}

async function waitUntilReady({ projects, clock }: DemoDeps, project: ProjectRecord): Promise<ProjectRecord> {
  const deadlineMs = clock.monotonicMs() + readyMsMax;
  for (let now = project; ; now = await projects.getProject(project.id, everything)) {
    if (now.state === "ready") return now;
    if (now.state === "failed" || clock.monotonicMs() > deadlineMs) {
      throw new DomainError(
        "git.unavailable",
        `The Project of the demo is ${now.state} (${now.stateDetail ?? "no reason given"}).`,
      );
    }
    await clock.sleep(readyLookMs);
  }
}

async function work(
  deps: DemoDeps,
  { projectId, changeId, taskId }: StartedDemo,
  actor: Actor,
): Promise<void> {
  const { access, clock, logger } = deps;
  const { id, token } = await access.createToken(
    {
      role: "agent",
      label: demoWords.tokenLabel,
      projectId,
      changeId,
      expiresAt: new Date(clock.now().getTime() + tokenMs),
    },
    actor,
  );
  try {
    const result = await runScriptedAgent(await deps.toolsFor(token), taskId, silentSteps);
    if (result.status === "refused") {
      const body = `No workspace was to be had: ${result.message} With one, I would subtract the discount in src/total.ts, where it is added.`;
      await deps.declareIntent({ token, taskId, refusalId: result.refusalId, body });
    }
    logger.info({ taskId, ...result }, "the demo is over");
  } finally {
    await access.revokeToken(id, actor);
  }
}

/** The Run's own log tells everything. */
const silentSteps: Steps = {
  take: (_what, act) => act(),
  note: () => undefined,
  showCommand: () => undefined,
};

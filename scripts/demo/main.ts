/**
 * Shows on a running stack how a Task becomes a ChangeSet: `npm run demo`. It makes a Project of its own from a sample
 * with a failing test, and an agent without a model that mends it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, createClient, type Client, type Connection } from "../cli/connection";
import { explainError } from "../cli/explain-error";
import { OperatorError } from "../stack/operator-error";
import { pushSample } from "./push-sample";
import { demoWords } from "../../server/demo/script";
import { runScriptedAgent } from "../../server/demo/scripted-agent";
import type { AgentTools } from "../../server/demo/types";
import { createSteps } from "./steps";

/** How long a new Project may take until it is ready. */
const readyMsMax = 60_000;

const steps = createSteps(console.log);
let baseUrl = "the server";
try {
  const connection = await connect(process.env);
  baseUrl = connection.baseUrl;
  await showDemo(connection);
} catch (error) {
  console.error(`✗ ${explainError(error, baseUrl)}`);
  process.exitCode = 1;
}

async function showDemo({ client, token }: Connection): Promise<void> {
  const project = await steps.take("A Project is made", async () => {
    const { id } = await client.project.create.mutate({ name: demoWords.projectName });
    return waitUntilReady(client, id);
  });
  steps.note(project.cloneUrl);
  await steps.take("The sample repository is pushed to it", () =>
    pushSample(project.cloneUrl, project.defaultBranch, token),
  );
  const { change, task } = await steps.take("A Change and an implement Task are made", async () => {
    const made = await client.change.create.mutate({ projectId: project.id, title: demoWords.changeTitle });
    const { taskInstructions: instructions, taskTitle: title } = demoWords;
    return {
      change: made,
      task: await client.task.create.mutate({ changeId: made.id, kind: "implement", title, instructions }),
    };
  });
  const agent = await steps.take("An agent gets a token for this Project", () =>
    client.token.create.mutate({
      role: "agent",
      label: demoWords.tokenLabel,
      projectId: project.id,
      changeId: change.id,
    }),
  );
  try {
    const result = await runScriptedAgent(toolsOf(createClient(baseUrl, agent.token)), task.id, steps);
    if (result.status === "refused") {
      throw new OperatorError(`The workspace was refused (${result.reason}): ${result.message}`);
    }
    if (result.status === "failed") throw new OperatorError(result.message);
    await printReview(client, change.id, result.changeSetId);
  } finally {
    await client.token.revoke.mutate({ id: agent.id });
  }
}

function toolsOf({ workspace }: Client): AgentTools {
  return {
    open: (input) => workspace.open.mutate(input),
    listFiles: (input) => workspace.listFiles.mutate(input),
    readFile: (input) => workspace.readFile.mutate(input),
    editFile: (input) => workspace.editFile.mutate(input),
    runCommand: (input) => workspace.runCommand.mutate(input),
    waitCommand: (input) => workspace.waitCommand.mutate(input),
    completeTask: (input) => workspace.completeTask.mutate(input),
    failTask: (input) => workspace.failTask.mutate(input),
  };
}

async function waitUntilReady(
  client: Client,
  id: string,
): Promise<Awaited<ReturnType<Client["project"]["get"]["query"]>>> {
  const deadlineMs = performance.now() + readyMsMax;
  for (;;) {
    const project = await client.project.get.query({ id });
    if (project.state === "ready") return project;
    if (performance.now() > deadlineMs) {
      throw new OperatorError(
        `The Project is ${project.state} (${project.stateDetail ?? "no reason given"}).`,
      );
    }
    await sleep(250);
  }
}

async function printReview(client: Client, changeId: string, changeSetId: string): Promise<void> {
  const { chargedSeconds } = await client.change.get.query({ id: changeId });
  console.log(`\n  ChangeSet ${changeSetId} is proposed; its Run was charged ${chargedSeconds} s.`);
  console.log(`  Review it: npm run -s cli -- changesets patch ${changeSetId}`);
  console.log(`  What the Run did: npm run -s cli -- changes get ${changeId}`);
  console.log(`  The dashboard: ${baseUrl}`);
}

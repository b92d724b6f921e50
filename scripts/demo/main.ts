/**
 * Shows on a running stack how a Task becomes a ChangeSet: `npm run demo`. It makes a Project of its own from a sample
 * with a failing test, and an agent without a model that mends it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, createClient, type Client, type Connection } from "../cli/connection";
import { explainError } from "../cli/explain-error";
import { OperatorError } from "../stack/operator-error";
import { pushSample } from "./push-sample";
import { runScriptedAgent } from "./scripted-agent";
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
    const { id } = await client.project.create.mutate({ name: "Demo: invoice totals" });
    return waitUntilReady(client, id);
  });
  steps.note(project.cloneUrl);
  await steps.take("The sample repository is pushed to it", () =>
    pushSample(project.cloneUrl, project.defaultBranch, token),
  );
  const { change, task } = await steps.take("A Change and an implement Task are made", async () => {
    const made = await client.change.create.mutate({ projectId: project.id, title: "Totals are wrong" });
    const instructions = "The test of the discount fails. Find out why and mend it.";
    const title = "Take the discount off";
    return {
      change: made,
      task: await client.task.create.mutate({ changeId: made.id, kind: "implement", title, instructions }),
    };
  });
  const agent = await steps.take("An agent gets a token for this Project", () =>
    client.token.create.mutate({ role: "agent", label: "demo", projectId: project.id, changeId: change.id }),
  );
  try {
    const changeSetId = await runScriptedAgent(createClient(baseUrl, agent.token), task.id, steps);
    await printReview(client, change.id, changeSetId);
  } finally {
    await client.token.revoke.mutate({ id: agent.id });
  }
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

import { makeAgent, openOnNewTask, runOf } from "./agent";
import { makeProject, openRun } from "./proposals";
import { expect, test } from "./session";

test("once the slots of a Change are taken the next open is refused, its agent's Intent is on the page, and a slot that gets free shows at once", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "Slots");
  const agent = await makeAgent(api, projectId, "slots agent");
  const { changeId, runId: firstRunId } = await openRun(agent, projectId, "First of four");
  const runIds = [firstRunId];
  try {
    for (const title of ["Second of four", "Third of four", "Fourth of four"])
      runIds.push(runOf(await openOnNewTask(agent, changeId, title)));

    const refused = await openOnNewTask(agent, changeId, "One too many");
    expect(refused).toMatchObject({ status: "refused", reason: "change_slots_full", limit: 4, used: 4 });

    await page.goto(`/changes/${changeId}`);
    const slots = page.getByRole("region", { name: "Slots" });
    await expect(slots).toContainText("4 of 4 open");
    await expect(slots.getByRole("listitem")).toHaveText([
      /First of four/,
      /Second of four/,
      /Third of four/,
      /Fourth of four/,
    ]);
    await expect(slots).toContainText("Every slot is taken");
    await expect(page.getByRole("region", { name: "Intents" })).toBeHidden();

    const { taskId, refusalId } = refused;
    const intent = {
      title: "Round half to even",
      body: "Change round() in src/money.ts.\nIts tests say why.",
    };
    await agent.mutate("intent.declare", { taskId, refusalId, ...intent });
    const intents = page.getByRole("region", { name: "Intents" });
    await expect(intents).toContainText(intent.title);
    await expect(intents).toContainText("Change round() in src/money.ts.");
    await expect(intents).toContainText("One too many");
    await expect(intents).toContainText("after a refused open");

    await agent.mutate("workspace.close", { runId: runIds.pop() });
    await expect(slots).toContainText("3 of 4 open");
    await expect(slots.getByText("Free", { exact: true })).toHaveCount(1);
    runIds.push(runOf(await openOnNewTask(agent, changeId, "Now there is room")));
    await expect(slots.getByRole("link", { name: "Now there is room" })).toBeVisible();
  } finally {
    for (const runId of runIds) await agent.mutate("workspace.close", { runId });
  }
});

import type { Page } from "@playwright/test";
import { makeAgent, openOnNewTask, runOf } from "./agent";
import { makeProject } from "./proposals";
import { expect, test, type Api } from "./session";

interface Usage {
  capSeconds: number;
  usedSeconds: number;
  reservedSeconds: number;
  remainingSeconds: number;
}

test("an admin who lowers the cap stops the next open, which says why; the usage page shows it; given back, opens go on", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "Lowered cap");
  const agent = await makeAgent(api, projectId, "cap agent");
  const { id: changeId } = await api.mutate<{ id: string }>("change.create", { projectId, title: "Costs" });
  const before = await readUsage(api);
  try {
    await page.goto("/settings/general");
    const panel = page.getByRole("region", { name: "Monthly cap" });
    const cap = panel.getByLabel("Seconds a month");
    await expect(cap).toHaveValue(String(before.capSeconds));
    const save = panel.getByRole("button", { name: "Save" });
    await expect(save).toBeDisabled();
    await cap.fill("250");
    await expect(panel).toContainText("4 min 10 s");
    await save.click();
    await expect(panel).toContainText("4 min 10 s a month, set here by an admin");
    await expect(panel.getByRole("listitem").first()).toContainText(/Ada Admin.*to 4 min 10 s/);

    const refused = await openOnNewTask(agent, changeId, "Too dear");
    expect(refused).toMatchObject({ status: "refused", reason: "meter_exhausted", limit: 250 });
    expect(refused.message).toMatch(/250|cap/);

    await expectOnUsagePage(page, changeId);

    await page.goto("/settings/general");
    await expect(cap).toHaveValue("250");
    await panel.getByRole("button", { name: "Give it back to the environment" }).click();
    await expect(cap).toHaveValue(String(before.capSeconds));
  } finally {
    await restore(api);
  }
  expect((await readUsage(api)).capSeconds).toBe(before.capSeconds);
  const runId = runOf(await openOnNewTask(agent, changeId, "Now it can be paid"));
  await agent.mutate("workspace.close", { runId });
});

async function expectOnUsagePage(page: Page, changeId: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).click();
  const panel = page.getByRole("region", { name: "Cap" });
  await expect(panel).toContainText("of 4 min 10 s (250 s), set by an admin");
  await expect(panel).toContainText(/The meter refused (an open|\d+ opens) this month/);
  await panel.getByRole("link", { name: "this Change" }).click();
  await expect(page).toHaveURL(`/changes/${changeId}`);
}

function readUsage(api: Api): Promise<Usage> {
  return api.query<Usage>("usage.current");
}

/** Whatever became of the test, the others find the cap as it was. */
async function restore(api: Api): Promise<void> {
  const { capSeconds, capSource } = await api.query<{ capSeconds: number; capSource: string }>(
    "usage.current",
  );
  if (capSource === "setting")
    await api.mutate("usage.setCap", { seconds: null, expectedSeconds: capSeconds });
}

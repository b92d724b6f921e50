import type { Route } from "@playwright/test";
import { makeAgent, proposeFiles } from "./agent";
import { makeProject } from "./proposals";
import { linesOf, threadAt } from "./review-page";
import { expect, test } from "./session";

const path = "src/late.ts";

test("a thread that is gone to while its lines are still on their way is shown with them once they come", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "Slow lines", [{ path, content: "export const late = 1;\n" }]);
  const agent = await makeAgent(api, projectId, "slow lines agent");
  const { changeSetId } = await proposeFiles(agent, projectId, {
    title: "Come late",
    files: { [path]: "export const late = 2;\n" },
  });
  const { headCommit } = await api.query<{ headCommit: string }>("changeSet.get", { id: changeSetId });
  const anchor = { path, side: "new", startLine: 1, endLine: 1 };
  await api.mutate("comment.create", { changeSetId, headCommit, anchor, body: "How late?" });

  const held: Route[] = [];
  let isHeld = true;
  await page.route(/changeSet\.patches/, async (route) => {
    if (isHeld) held.push(route);
    else await route.continue();
  });
  await page.goto(`/change-sets/${changeSetId}`);
  await expect(page.getByText("0 of 1 viewed")).toBeVisible();
  await expect(threadAt(page, `${path}:1`)).toContainText("How late?");
  await expect.poll(() => held.length).toBe(1);
  await page.keyboard.press("Shift+N");
  isHeld = false;
  for (const route of held) await route.continue();
  await expect(linesOf(page, "New", path)).toContainText("export const late = 2;");
  await expect(threadAt(page, `${path}:1`)).toContainText("How late?");
});

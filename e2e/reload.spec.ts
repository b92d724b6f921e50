import { makeAgent, proposeFiles } from "./agent";
import { makeProject } from "./proposals";
import { beginComment, openFinish } from "./review-page";
import { expect, test } from "./session";

const files = { "src/left.ts": "export const left = 1;\n", "src/right.ts": "export const right = 2;\n" };

test("a reload in the middle of a review keeps drafts, the verdict that was begun, and viewed marks", async ({
  page,
  api,
}) => {
  const changeSetId = await propose(api, "Kept over a reload");
  await page.goto(`/change-sets/${changeSetId}`);
  await (await beginComment(page, "src/left.ts", 1)).fill("Half said");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.getByRole("checkbox", { name: "Viewed" }).last().check();
  await expect(page.getByText("1 of 2 viewed")).toBeVisible();
  const finish = await openFinish(page, "Request changes");
  await finish.getByLabel("Summary").fill("Not quite");
  await expect(finish.getByText("Draft saved")).toBeVisible();

  await page.reload();
  await expect(page.getByText("Half said")).toBeVisible();
  await expect(page.getByText("1 of 2 viewed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Open src/right.ts" })).toBeVisible();
  await page.getByRole("button", { name: "Finish review · 1 draft" }).click();
  await expect(finish.getByLabel("Summary")).toHaveValue("Not quite");
  await expect(finish.getByRole("radio", { name: /^Request changes/ })).toBeChecked();
});

async function propose(api: Parameters<typeof makeProject>[0], title: string): Promise<string> {
  const projectId = await makeProject(api, title);
  const agent = await makeAgent(api, projectId, title);
  return (await proposeFiles(agent, projectId, { title, files })).changeSetId;
}
